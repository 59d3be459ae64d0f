import os
import secrets

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
app.secret_key = secrets.token_hex()

vrata = OAuth(app).register(
    "vrata",
    client_id="YOUR_CLIENT_ID",
    client_secret=os.environ["VRATA_CLIENT_SECRET"],
    server_metadata_url="https://id.example.com/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/")
def home():
    user = session.get("user")
    text = f"Hello, {user.get('name', user['sub'])}" if user else "You are not signed in. Open /sign-in"
    return text, {"Content-Type": "text/plain; charset=utf-8"}


@app.get("/sign-in")
def sign_in():
    return vrata.authorize_redirect("http://localhost:4000/callback")


@app.get("/callback")
def callback():
    token = vrata.authorize_access_token()
    user = vrata.userinfo(token=token)
    session.clear()
    session["user"] = user
    return redirect("/")


if __name__ == "__main__":
    app.run(host="localhost", port=4000)
