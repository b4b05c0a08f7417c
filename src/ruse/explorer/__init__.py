"""The explorer: solved games in the browser. See `create_app` in app.py and `explore` in serve.py."""
