"""A login form with verification codes, and a page for users who are logged in."""

import os

import requests
from flask import Flask, redirect, render_template_string, request

app = Flask(__name__)
API = os.environ["PASSBELL_URL"] + "/api/v1"
HEADERS = {"clientId": os.environ["APP_KEY"], "clientSecret": os.environ["APP_SECRET"]}
# Scripts cannot read these cookies, and browsers do not send them with forms from other sites.
# Except with --debug, browsers also send them over HTTPS only.
COOKIE = {"httponly": True, "samesite": "Lax", "secure": not app.debug}

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shop</title>
<h1>Shop</h1>
{% if error %}<p role="alert">{{ error }}</p>{% endif %}
"""
HOME = PAGE + """<p>You are logged in as {{ user.identities.identityValue }}.</p>
<form method="post" action="/logout"><button>Log out</button></form>"""
SEND_FORM = PAGE + """<form method="post" action="/login">
<label>Phone number or email address <input name="to" value="{{ to or request.cookies.to }}" autocomplete="tel" required></label>
<button>Send code</button>
</form>"""
# The script fills in the code from an SMS that is bound to this site, and sends the form.
CODE_FORM = PAGE + """<form method="post" action="/verify">
<label>Code <input name="otp" inputmode="numeric" autocomplete="one-time-code" required></label>
<button>Log in</button>
</form>
<p><a href="/login">Send another code</a></p>
<script>
if ('OTPCredential' in window) {
  const form = document.forms[0];
  const waiting = new AbortController();
  form.addEventListener('submit', () => waiting.abort());
  const fillIn = ({ code }) => {
    form.otp.value = code;
    form.requestSubmit();
  };
  navigator.credentials.get({ otp: { transport: ['sms'] }, signal: waiting.signal }).then(fillIn, () => {});
}
</script>"""
ALREADY_SENT = "A code was already sent. You can send another one in {} seconds."


class PassbellError(Exception):
    """A failed call. `reply` has `code`, `message` and, where waiting helps, `retryAfterSeconds`."""

    def __init__(self, reply):
        super().__init__(reply["code"])
        self.reply = reply


def passbell(path, **body):
    """Calls an operation. Failures also have HTTP status 200: `success` tells whether the call failed."""
    # Does not follow redirects, so that no other server receives the App Secret.
    reply = requests.post(API + path, json=body, headers=HEADERS, timeout=10, allow_redirects=False).json()
    if not reply["success"]:
        raise PassbellError(reply)
    return reply.get("data")


def message_of(error):
    """Returns the message to show to the user. Reraises errors that the user cannot resolve."""
    code, wait = error.reply["code"], error.reply.get("retryAfterSeconds")
    if code in ("INVALID_OTP", "MISSING_PARAMETERS"):
        return "This code is wrong."
    if code == "OTP_EXPIRED":
        return "This code has expired. Send another one."
    if code == "COOLDOWN":
        return ALREADY_SENT.format(wait)
    if wait:
        return f"Too many attempts. Try again in {wait} seconds."
    if error.reply.get("field") == "to":
        return "Enter a phone number with its country code, or an email address."
    raise error


@app.get("/")
def home():
    session = request.cookies.get("session")
    if not session:
        return redirect("/login")
    try:
        user = passbell("/auth/verifytoken", token=session)
    except PassbellError as error:
        if error.reply["code"] in ("INVALID_TOKEN", "TOKEN_EXPIRED", "TOKEN_REVOKED"):
            return redirect("/login")
        raise
    return render_template_string(HOME, user=user)


@app.route("/login", methods=["GET", "POST"])
def login():
    if request.method == "GET":
        return render_template_string(SEND_FORM)
    to = request.form["to"]
    try:
        # Behind a proxy, use Werkzeug's ProxyFix: otherwise, all users appear to have its address.
        sent = passbell("/auth/sendotp", to=to, clientIp=request.remote_addr)
    except PassbellError as error:
        # The code that this browser requested earlier is still valid.
        if error.reply["code"] == "COOLDOWN" and to == request.cookies.get("to"):
            return redirect(f"/verify?wait={error.reply['retryAfterSeconds']}")
        return render_template_string(SEND_FORM, error=message_of(error), to=to), 400
    response = redirect("/verify")
    response.set_cookie("code", sent["results"][0]["maskId"], **COOKIE)
    response.set_cookie("to", to, **COOKIE)
    return response


@app.route("/verify", methods=["GET", "POST"])
def verify():
    if request.method == "GET":
        wait = request.args.get("wait", type=int)
        return render_template_string(CODE_FORM, error=wait and ALREADY_SENT.format(wait))
    try:
        session = passbell("/auth/verifyotp", maskId=request.cookies.get("code", ""), otp=request.form["otp"])
    except PassbellError as error:
        return render_template_string(CODE_FORM, error=message_of(error)), 400
    response = redirect("/")
    response.set_cookie("session", session["token"], max_age=session["expiresIn"], **COOKIE)
    response.delete_cookie("code")
    response.delete_cookie("to")
    return response


@app.post("/logout")
def logout():
    session = request.cookies.get("session")
    response = redirect("/login")
    response.delete_cookie("session")
    try:
        if session:
            passbell("/auth/revokesession", token=session)
    except (PassbellError, OSError):
        app.logger.exception("the session cannot be revoked")
    return response
