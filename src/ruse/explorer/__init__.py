"""The explorer: solved games in a browser. `create_app` in app.py makes it, `explore` in serve.py starts it."""
