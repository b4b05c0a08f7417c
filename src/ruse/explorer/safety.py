"""Which requests the server accepts, and what a browser may do with the answers.

The explorer is for the person at this machine. A page elsewhere must not reach it through that person's browser: not
by a name that points here (the Host header is checked), not by a form of its own (the origin of a POST is checked),
not by reading answers (no CORS, same-origin resources only). Where others may reach it, they need the token.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from secrets import compare_digest
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ruse.explorer.errors import Problem, RequestTooLarge, problem_response
from ruse.explorer.settings import Settings

LOCAL = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")
COOKIE = "ruse-token"
READING = ("GET", "HEAD", "OPTIONS")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
AUTHORITY = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::\d{1,5})?")
log = logging.getLogger("ruse.explorer")


class Guard:
    """The outermost layer: refuses unsafe requests, and adds the headers above to every answer."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.names = frozenset(_names(settings.host))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        started = ended = False
        bare = scope["method"] == "HEAD"  # what GET would answer, without its body
        if bare:
            scope = {**scope, "method": "GET"}

        async def dressed(message: Message) -> None:
            nonlocal started, ended
            if bare and message["type"] == "http.response.body":
                if ended:
                    return
                ended, message = True, {"type": "http.response.body"}
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if "cache-control" not in headers:
                    headers["cache-control"] = "no-cache" if scope["path"].startswith("/static/") else "no-store"
            await send(message)

        try:
            answer = self._refusal(scope)
            if answer is None:
                await self.app(scope, self._measured(scope, receive), dressed)
                return
        except RequestTooLarge as error:
            answer = problem_response(scope, Problem(413, str(error)))
        except Exception:
            log.exception("an error at %s", scope["path"])
            answer = problem_response(scope, Problem(500, "this is a bug in ruse; its log has the details"))
        if not started:
            await answer(scope, receive, dressed)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the refusal of an unsafe request; None for a safe one."""
        headers = Headers(scope=scope)
        if not self._is_mine(headers.get("host", "")):
            return problem_response(scope, Problem(421, "this server answers only under its own address"))
        if self.settings.token is not None and (answer := self._without_token(scope, headers)) is not None:
            return answer
        if scope["method"] not in READING and not self._same_origin(headers):
            return problem_response(scope, Problem(403, "this request does not come from a page of this server"))
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._most(scope):
            raise RequestTooLarge(f"this request has more than {self._most(scope):,} bytes")
        return None

    def _most(self, scope: Scope) -> int:
        return self.settings.most_upload if scope["path"] == "/open" else self.settings.most_body

    def _is_mine(self, authority: str) -> bool:
        match = AUTHORITY.fullmatch(authority)
        if match is None:
            return False
        name = (match["six"] or match["name"]).lower()
        return name in self.names or (self.settings.host in EVERYWHERE and _is_address(name))

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Return None if the request has the token; a token in the address becomes a cookie."""
        token = self.settings.token or ""
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in asked if name == "token"), None)
        if given is not None and _equal(given, token) and scope["method"] in READING:
            rest = urlencode([(name, value) for name, value in asked if name != "token"])
            path = "/" + scope["path"].lstrip("/")  # two slashes would lead to another server
            answer = RedirectResponse(quote(path, safe="/@+=,:()") + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
            return answer
        carried = (cookie_parser(headers.get("cookie", "")).get(COOKIE), headers.get("x-ruse-token"))
        if any(candidate is not None and _equal(candidate, token) for candidate in carried):
            return None
        return problem_response(scope, Problem(401, "add the token that ruse printed to the address, as ?token=…"))

    def _same_origin(self, headers: Headers) -> bool:
        """Return whether a changing request comes from this server's pages, or from a program without a browser.

        Pages without referrers send forms with the origin "null", but browsers say in Sec-Fetch-Site what it was. Those
        that do not, as the address is neither local nor secure, have shown it by sending the strict cookie.
        """
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None:
            return site in ("same-origin", "none")
        if origin == "null":
            return self.settings.token is not None
        return origin is None or urlsplit(origin).netloc.lower() == headers.get("host", "").lower()

    def _measured(self, scope: Scope, receive: Receive) -> Receive:
        """Limit a body whose length is unknown."""
        left = self._most(scope)

        async def measured() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise RequestTooLarge(f"this request has more than {self._most(scope):,} bytes")
            return message

        return measured


def _names(host: str) -> Iterable[str]:
    yield from LOCAL
    if host in EVERYWHERE:
        name = socket.gethostname().lower()
        yield from (name, f"{name}.local")
    else:
        yield host.lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _equal(given: str, token: str) -> bool:
    return compare_digest(given.encode(), token.encode())


def needs_token(host: str) -> bool:
    """Return whether other machines could reach a server at this host."""
    if host in LOCAL:
        return False
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return True
