"""Extensions of Schemathesis: every call acts as FUZZ_ROLE, and half of the calls name existing objects."""

import gc
import json
import os
import urllib.request

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.coverage import _schema as coverage

ROLE = os.environ["FUZZ_ROLE"]
SESSIONS = os.environ["FUZZ_SESSIONS"]
ORIGIN = os.environ["FUZZ_ORIGIN"]
DEVELOPER_HEADER = "developer-id"

current = None
calls = 0

# Nearly all objects stay until the end: looking for garbage every 700 objects took a tenth of Python's time.
gc.set_threshold(50_000, 50, 100)

# Strings of each format, and strings that break it nearly. A pattern that tells them apart states the format too, so that no string breaks
# only the format. Schemathesis knows them for uuid and date, and searches two seconds for such a string of each other format.
coverage._FORMAT_PROBES |= {
    "date-time": (
        ("2024-01-31T12:00:00Z",),
        ("2024-02-30T12:00:00Z", "2024-13-01T12:00:00Z", "2024-01-31T24:00:00Z", "2024-01-31 12:00:00", "x2024-01-31T12:00:00Zx"),
    ),
    "ipv4": (("192.0.2.1",), ("256.0.2.1", "192.0.2", "192.0.2.1.1", "x192.0.2.1", "192.0.2.1x")),
    "ipv6": (("2001:db8::1",), ("2001:db8::1::1", "2001:db8:1", "12001:db8::1", "g::1", "x2001:db8::1", "2001:db8::1x")),
}


def session():
    """The session of this run; a new one after a call that ended it."""
    global current
    if current is None:
        with urllib.request.urlopen(f"{SESSIONS}/?role={ROLE}") as answer:
            current = json.load(answer)
    return current


@schemathesis.auth(refresh_interval=None)
class SessionCookies:
    def get(self, case, context):
        return session()["cookies"]

    def set(self, case, data, context):
        case.cookies.update(data)


def has_invalid_path(case):
    """Whether the path was made invalid on purpose. It stays, because the answer is expected to reject it."""
    if case.meta is None:
        return False
    # The mode of a component is judged anew after a change, but what was changed is kept.
    changed = getattr(case.meta.phase.data, "mutations", ())
    return case.meta.is_negative_at(ParameterLocation.PATH) or any(
        mutation.parameter_location == ParameterLocation.PATH for mutation in changed
    )


@schemathesis.hook
def before_call(ctx, case, kwargs):
    global calls
    calls += 1
    # Cases are generated ahead, so their session may have ended. A check for ignored authentication removes the cookie.
    for name, value in session()["cookies"].items():
        if name in case.cookies:
            case.cookies[name] = value
    if calls % 2 and not has_invalid_path(case):
        for prefix, value in session()["known"].items():
            if case.operation.path.startswith(prefix):
                case.path_parameters[prefix.split("{")[1].rstrip("}")] = value
        case.headers.pop(DEVELOPER_HEADER, None)
    # State changes are accepted from the server's own pages only.
    case.headers["Origin"] = ORIGIN


@schemathesis.hook
def after_call(ctx, case, response):
    global current
    ended = response.status_code == 401 or b'"no_developer"' in response.content
    own = case.cookies.get("vrata_access") == session()["cookies"].get("vrata_access")
    if ROLE != "nobody" and ended and own and DEVELOPER_HEADER not in case.headers:
        current = None
