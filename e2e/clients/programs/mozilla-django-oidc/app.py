# The installation guide of mozilla-django-oidc, in one file.
import os
import tempfile
from urllib.parse import urlencode

import django
from django.conf import settings
from django.core.management import call_command
from django.http import HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.urls import include, path, reverse
from django.utils.html import escape

ISSUER = os.environ["ISSUER"]
HOME = f"http://localhost:{os.environ['PORT']}/"


def logout_url(request):
    query = {"id_token_hint": request.session["oidc_id_token"], "post_logout_redirect_uri": HOME}
    return f"{ISSUER}/end-session?{urlencode(query)}"


settings.configure(
    DEBUG=True,
    SECRET_KEY="secret",
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["localhost"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.path.join(tempfile.mkdtemp(prefix="vrata-django-"), "db.sqlite3"),
        }
    },
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "mozilla_django_oidc",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "mozilla_django_oidc.middleware.SessionRefresh",
    ],
    AUTHENTICATION_BACKENDS=[f"{__name__}.Backend"],
    OIDC_RP_CLIENT_ID=os.environ["CLIENT_ID"],
    OIDC_RP_CLIENT_SECRET=os.environ["CLIENT_SECRET"],
    OIDC_OP_AUTHORIZATION_ENDPOINT=f"{ISSUER}/authorize",
    OIDC_OP_TOKEN_ENDPOINT=f"{ISSUER}/token",
    OIDC_OP_USER_ENDPOINT=f"{ISSUER}/userinfo",
    OIDC_OP_JWKS_ENDPOINT=f"{ISSUER}/jwks",
    OIDC_RP_SIGN_ALGO="RS256",
    OIDC_RP_SCOPES="openid profile email",
    OIDC_USE_PKCE=True,
    OIDC_STORE_ACCESS_TOKEN=True,
    OIDC_STORE_ID_TOKEN=True,
    OIDC_OP_LOGOUT_URL_METHOD=f"{__name__}.logout_url",
    LOGIN_REDIRECT_URL="/",
    LOGOUT_REDIRECT_URL="/",
)
django.setup()

# The models of Django can be imported only now.
from mozilla_django_oidc.auth import OIDCAuthenticationBackend  # noqa: E402


class Backend(OIDCAuthenticationBackend):
    """Stores the name, as the section "Changing how Django users are created" has it."""

    def create_user(self, claims):
        user = super().create_user(claims)
        user.first_name = claims.get("given_name", "")
        user.last_name = claims.get("family_name", "")
        user.save()
        return user


def home(request):
    if not request.user.is_authenticated:
        return HttpResponse(f'<p>Signed out</p><a href="{reverse("oidc_authentication_init")}">Sign in</a>')
    return HttpResponse(
        f"<p>{escape(request.user.get_full_name())}</p><p>{escape(request.user.email)}</p>"
        f"<code>{request.session['oidc_access_token']}</code>"
        f'<a href="/renew">Renew</a><form method="post" action="{reverse("oidc_logout")}">'
        f'<input type="hidden" name="csrfmiddlewaretoken" value="{get_token(request)}"><button>Sign out</button></form>'
    )


def renew(request):
    # In place of waiting for OIDC_RENEW_ID_TOKEN_EXPIRY_SECONDS; the next request is sent to Vrata with prompt=none.
    request.session["oidc_id_token_expiration"] = 0
    return HttpResponseRedirect("/")


urlpatterns = [path("", home), path("renew", renew), path("oidc/", include("mozilla_django_oidc.urls"))]

call_command("migrate", verbosity=0)
call_command("runserver", f"localhost:{os.environ['PORT']}", use_reloader=False)
