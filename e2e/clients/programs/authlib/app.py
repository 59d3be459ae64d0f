# The Flask client of Authlib as its documentation has it.
import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session
from markupsafe import escape

HOME = f"http://localhost:{os.environ['PORT']}"

app = Flask(__name__)
app.secret_key = "secret"

oauth = OAuth(app)
oauth.register(
    name="vrata",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=f"{os.environ['ISSUER']}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)
# Sessions in memory: a cookie has no room for all tokens.
sessions = {}


@app.get("/")
def home():
    token = sessions.get(session.get("id"))
    if not token:
        return '<p>Signed out</p><a href="/login">Sign in</a>'
    user = token["userinfo"]
    return (
        f"<p>{escape(user.get('name'))}</p><p>{escape(user.get('email'))}</p><code>{token['access_token']}</code>"
        '<a href="/renew">Renew</a> <a href="/sign-out">Sign out</a>'
    )


@app.get("/login")
def login():
    return oauth.vrata.authorize_redirect(f"{HOME}/authorize")


@app.get("/authorize")
def authorize():
    token = oauth.vrata.authorize_access_token()
    session["id"] = token["userinfo"]["sub"]
    sessions[session["id"]] = token
    return redirect("/")


@app.get("/renew")
def renew():
    token = sessions[session["id"]]
    renewed = oauth.vrata.fetch_access_token(grant_type="refresh_token", refresh_token=token["refresh_token"])
    token.update(renewed)
    return redirect("/")


@app.get("/sign-out")
def sign_out():
    token = sessions.pop(session["id"])
    return oauth.vrata.logout_redirect(post_logout_redirect_uri=f"{HOME}/", id_token_hint=token["id_token"])


app.run(host="localhost", port=int(os.environ["PORT"]))
