// Generated from examples/quick-starts by `npm run gen`.
import type { QuickStartTemplate } from '../template.ts'

export const QUICK_STARTS: readonly QuickStartTemplate[] = [
  {
    "key": "express",
    "title": "Express",
    "kinds": [
      "web"
    ],
    "redirect_uri": "http://localhost:4000/callback",
    "open": "http://localhost:4000/sign-in",
    "install": "npm install express express-session openid-client",
    "run": "VRATA_CLIENT_SECRET=your-secret node app.mjs",
    "id_token_algorithms": [
      "RS256",
      "ES256",
      "EdDSA"
    ],
    "files": [
      {
        "name": "app.mjs",
        "language": "js",
        "code": "import express from 'express'\nimport session from 'express-session'\nimport * as oidc from 'openid-client'\n\nconst redirectUri = 'http://localhost:4000/callback'\nconst vrata = await oidc.discovery(\n  new URL('https://id.example.com'),\n  'YOUR_CLIENT_ID',\n  process.env.VRATA_CLIENT_SECRET,\n  undefined, // while Vrata runs on http\n  { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http\n)\n\nconst app = express()\napp.use(session({ secret: crypto.randomUUID(), resave: false, saveUninitialized: false, cookie: { sameSite: 'lax' } }))\n\napp.get('/', (req, res) => {\n  const { user } = req.session\n  res.type('text').send(user ? `Hello, ${user.name ?? user.sub}` : 'You are not signed in. Open /sign-in')\n})\n\napp.get('/sign-in', async (req, res) => {\n  const verifier = oidc.randomPKCECodeVerifier()\n  const state = oidc.randomState()\n  req.session.authorization = { verifier, state }\n  const authorizationUrl = oidc.buildAuthorizationUrl(vrata, {\n    redirect_uri: redirectUri,\n    scope: 'openid profile email',\n    state,\n    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),\n    code_challenge_method: 'S256',\n  })\n  res.redirect(authorizationUrl.href)\n})\n\napp.get('/callback', async (req, res) => {\n  const { verifier, state } = req.session.authorization ?? {}\n  const tokens = await oidc.authorizationCodeGrant(vrata, new URL(req.originalUrl, redirectUri), {\n    pkceCodeVerifier: verifier,\n    expectedState: state,\n  })\n  const user = await oidc.fetchUserInfo(vrata, tokens.access_token, tokens.claims().sub)\n  // A new session ID prevents session fixation.\n  req.session.regenerate(() => {\n    req.session.user = user\n    res.redirect('/')\n  })\n})\n\napp.listen(4000, () => console.log('Open http://localhost:4000/sign-in'))\n"
      }
    ]
  },
  {
    "key": "nextjs",
    "title": "Next.js",
    "kinds": [
      "web"
    ],
    "redirect_uri": "http://localhost:4000/callback",
    "open": "http://localhost:4000/sign-in",
    "install": "npm install next react react-dom openid-client",
    "run": "VRATA_CLIENT_SECRET=your-secret npx next dev --port 4000",
    "id_token_algorithms": [
      "RS256",
      "ES256",
      "EdDSA"
    ],
    "files": [
      {
        "name": "vrata.js",
        "language": "js",
        "code": "import * as oidc from 'openid-client'\n\nexport const redirectUri = 'http://localhost:4000/callback'\n\nlet configuration\n/** Reads the discovery document of Vrata once. */\nexport function vrata() {\n  configuration ??= oidc.discovery(\n    new URL('https://id.example.com'),\n    'YOUR_CLIENT_ID',\n    process.env.VRATA_CLIENT_SECRET,\n    undefined, // while Vrata runs on http\n    { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http\n  )\n  return configuration\n}\n\nexport const cookie = { httpOnly: true, sameSite: 'lax', secure: redirectUri.startsWith('https:'), path: '/' }\n"
      },
      {
        "name": "app/sign-in/route.js",
        "language": "js",
        "code": "import { cookies } from 'next/headers'\nimport { redirect } from 'next/navigation'\nimport * as oidc from 'openid-client'\nimport { cookie, redirectUri, vrata } from '../../vrata.js'\n\nexport async function GET() {\n  const verifier = oidc.randomPKCECodeVerifier()\n  const state = oidc.randomState()\n  const jar = await cookies()\n  jar.set('authorization', JSON.stringify({ verifier, state }), { ...cookie, maxAge: 600 })\n  const authorizationUrl = oidc.buildAuthorizationUrl(await vrata(), {\n    redirect_uri: redirectUri,\n    scope: 'openid profile email',\n    state,\n    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),\n    code_challenge_method: 'S256',\n  })\n  redirect(authorizationUrl.href)\n}\n"
      },
      {
        "name": "app/callback/route.js",
        "language": "js",
        "code": "import { cookies } from 'next/headers'\nimport { redirect } from 'next/navigation'\nimport * as oidc from 'openid-client'\nimport { cookie, redirectUri, vrata } from '../../vrata.js'\n\nexport async function GET(request) {\n  const jar = await cookies()\n  const { verifier, state } = JSON.parse(jar.get('authorization')?.value ?? '{}')\n  const { search } = new URL(request.url)\n  const tokens = await oidc.authorizationCodeGrant(await vrata(), new URL(search, redirectUri), {\n    pkceCodeVerifier: verifier,\n    expectedState: state,\n  })\n  const user = await oidc.fetchUserInfo(await vrata(), tokens.access_token, tokens.claims().sub)\n  jar.delete('authorization')\n  // Only for display. Start a session of your app for user.sub here.\n  jar.set('name', user.name ?? user.sub, cookie)\n  redirect('/')\n}\n"
      },
      {
        "name": "app/page.js",
        "language": "jsx",
        "code": "import { cookies } from 'next/headers'\n\nexport default async function Page() {\n  const name = (await cookies()).get('name')?.value\n  return name ? <h1>{`Hello, ${name}`}</h1> : <a href=\"/sign-in\">Sign in with Vrata</a>\n}\n"
      },
      {
        "name": "app/layout.js",
        "language": "jsx",
        "code": "export default function Layout({ children }) {\n  return (\n    <html lang=\"en\">\n      <body>{children}</body>\n    </html>\n  )\n}\n"
      }
    ]
  },
  {
    "key": "fastify",
    "title": "Fastify",
    "kinds": [
      "web"
    ],
    "redirect_uri": "http://localhost:4000/callback",
    "open": "http://localhost:4000/sign-in",
    "install": "npm install fastify @fastify/cookie @fastify/session openid-client",
    "run": "VRATA_CLIENT_SECRET=your-secret node app.mjs",
    "id_token_algorithms": [
      "RS256",
      "ES256",
      "EdDSA"
    ],
    "files": [
      {
        "name": "app.mjs",
        "language": "js",
        "code": "import cookie from '@fastify/cookie'\nimport session from '@fastify/session'\nimport Fastify from 'fastify'\nimport * as oidc from 'openid-client'\n\nconst redirectUri = 'http://localhost:4000/callback'\nconst vrata = await oidc.discovery(\n  new URL('https://id.example.com'),\n  'YOUR_CLIENT_ID',\n  process.env.VRATA_CLIENT_SECRET,\n  undefined, // while Vrata runs on http\n  { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http\n)\n\nconst app = Fastify()\nawait app.register(cookie)\nawait app.register(session, {\n  secret: crypto.randomUUID(),\n  saveUninitialized: false,\n  cookie: { sameSite: 'lax', secure: 'auto' },\n})\n\napp.get('/', async (request) => {\n  const { user } = request.session\n  return user ? `Hello, ${user.name ?? user.sub}` : 'You are not signed in. Open /sign-in'\n})\n\napp.get('/sign-in', async (request, reply) => {\n  const verifier = oidc.randomPKCECodeVerifier()\n  const state = oidc.randomState()\n  request.session.authorization = { verifier, state }\n  const authorizationUrl = oidc.buildAuthorizationUrl(vrata, {\n    redirect_uri: redirectUri,\n    scope: 'openid profile email',\n    state,\n    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),\n    code_challenge_method: 'S256',\n  })\n  return reply.redirect(authorizationUrl.href)\n})\n\napp.get('/callback', async (request, reply) => {\n  const { verifier, state } = request.session.authorization ?? {}\n  const tokens = await oidc.authorizationCodeGrant(vrata, new URL(request.url, redirectUri), {\n    pkceCodeVerifier: verifier,\n    expectedState: state,\n  })\n  const user = await oidc.fetchUserInfo(vrata, tokens.access_token, tokens.claims().sub)\n  // A new session ID prevents session fixation.\n  await request.session.regenerate()\n  request.session.user = user\n  return reply.redirect('/')\n})\n\nawait app.listen({ port: 4000 })\nconsole.log('Open http://localhost:4000/sign-in')\n"
      }
    ]
  },
  {
    "key": "python",
    "title": "Python",
    "kinds": [
      "web"
    ],
    "redirect_uri": "http://localhost:4000/callback",
    "open": "http://localhost:4000/sign-in",
    "install": "pip install flask authlib requests",
    "run": "VRATA_CLIENT_SECRET=your-secret python app.py",
    "id_token_algorithms": [
      "RS256",
      "ES256",
      "EdDSA"
    ],
    "files": [
      {
        "name": "app.py",
        "language": "python",
        "code": "import os\nimport secrets\n\nfrom authlib.integrations.flask_client import OAuth\nfrom flask import Flask, redirect, session\n\napp = Flask(__name__)\napp.secret_key = secrets.token_hex()\n\nvrata = OAuth(app).register(\n    \"vrata\",\n    client_id=\"YOUR_CLIENT_ID\",\n    client_secret=os.environ[\"VRATA_CLIENT_SECRET\"],\n    server_metadata_url=\"https://id.example.com/.well-known/openid-configuration\",\n    client_kwargs={\"scope\": \"openid profile email\", \"code_challenge_method\": \"S256\"},\n)\n\n\n@app.get(\"/\")\ndef home():\n    user = session.get(\"user\")\n    text = f\"Hello, {user.get('name', user['sub'])}\" if user else \"You are not signed in. Open /sign-in\"\n    return text, {\"Content-Type\": \"text/plain; charset=utf-8\"}\n\n\n@app.get(\"/sign-in\")\ndef sign_in():\n    return vrata.authorize_redirect(\"http://localhost:4000/callback\")\n\n\n@app.get(\"/callback\")\ndef callback():\n    token = vrata.authorize_access_token()\n    user = vrata.userinfo(token=token)\n    session.clear()\n    session[\"user\"] = user\n    return redirect(\"/\")\n\n\nif __name__ == \"__main__\":\n    app.run(host=\"localhost\", port=4000)\n"
      }
    ]
  },
  {
    "key": "go",
    "title": "Go",
    "kinds": [
      "web"
    ],
    "redirect_uri": "http://localhost:4000/callback",
    "open": "http://localhost:4000/sign-in",
    "install": "go mod init example && go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2",
    "run": "VRATA_CLIENT_SECRET=your-secret go run .",
    "id_token_algorithms": [
      "RS256",
      "ES256",
      "EdDSA"
    ],
    "files": [
      {
        "name": "main.go",
        "language": "go",
        "code": "package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\t\"log\"\n\t\"net/http\"\n\t\"os\"\n\n\t\"github.com/coreos/go-oidc/v3/oidc\"\n\t\"golang.org/x/oauth2\"\n)\n\nfunc main() {\n\tprovider, err := oidc.NewProvider(context.Background(), \"https://id.example.com\")\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tvrata := oauth2.Config{\n\t\tClientID:     \"YOUR_CLIENT_ID\",\n\t\tClientSecret: os.Getenv(\"VRATA_CLIENT_SECRET\"),\n\t\tEndpoint:     provider.Endpoint(),\n\t\tRedirectURL:  \"http://localhost:4000/callback\",\n\t\tScopes:       []string{oidc.ScopeOpenID, \"profile\", \"email\"},\n\t}\n\tidTokenVerifier := provider.Verifier(&oidc.Config{ClientID: vrata.ClientID})\n\n\thttp.HandleFunc(\"/sign-in\", func(w http.ResponseWriter, r *http.Request) {\n\t\tstate, codeVerifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()\n\t\tsetCookie(w, \"state\", state)\n\t\tsetCookie(w, \"code_verifier\", codeVerifier)\n\t\thttp.Redirect(w, r, vrata.AuthCodeURL(state, oauth2.S256ChallengeOption(codeVerifier)), http.StatusFound)\n\t})\n\n\thttp.HandleFunc(\"/callback\", func(w http.ResponseWriter, r *http.Request) {\n\t\tstate := cookieValue(r, \"state\")\n\t\tif state == \"\" || r.FormValue(\"state\") != state {\n\t\t\thttp.Error(w, \"state does not match\", http.StatusBadRequest)\n\t\t\treturn\n\t\t}\n\t\ttokens, err := vrata.Exchange(r.Context(), r.FormValue(\"code\"), oauth2.VerifierOption(cookieValue(r, \"code_verifier\")))\n\t\tif err != nil {\n\t\t\thttp.Error(w, err.Error(), http.StatusBadGateway)\n\t\t\treturn\n\t\t}\n\t\tidToken, _ := tokens.Extra(\"id_token\").(string)\n\t\tif _, err := idTokenVerifier.Verify(r.Context(), idToken); err != nil {\n\t\t\thttp.Error(w, err.Error(), http.StatusBadGateway)\n\t\t\treturn\n\t\t}\n\t\tinfo, err := provider.UserInfo(r.Context(), vrata.TokenSource(r.Context(), tokens))\n\t\tif err != nil {\n\t\t\thttp.Error(w, err.Error(), http.StatusBadGateway)\n\t\t\treturn\n\t\t}\n\t\tvar claims struct{ Name string }\n\t\tif err := info.Claims(&claims); err != nil {\n\t\t\thttp.Error(w, err.Error(), http.StatusBadGateway)\n\t\t\treturn\n\t\t}\n\t\t// Start a session of your app for info.Subject here.\n\t\tw.Header().Set(\"Content-Type\", \"text/plain; charset=utf-8\")\n\t\tfmt.Fprintf(w, \"Hello, %s\", claims.Name)\n\t})\n\n\tlog.Println(\"Open http://localhost:4000/sign-in\")\n\tlog.Fatal(http.ListenAndServe(\"localhost:4000\", nil))\n}\n\nfunc setCookie(w http.ResponseWriter, name, value string) {\n\thttp.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: \"/\", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode})\n}\n\nfunc cookieValue(r *http.Request, name string) string {\n\tcookie, err := r.Cookie(name)\n\tif err != nil {\n\t\treturn \"\"\n\t}\n\treturn cookie.Value\n}\n"
      }
    ]
  },
  {
    "key": "php",
    "title": "PHP",
    "kinds": [
      "web"
    ],
    "redirect_uri": "http://localhost:4000/callback",
    "open": "http://localhost:4000/sign-in",
    "install": "composer require league/oauth2-client",
    "run": "VRATA_CLIENT_SECRET=your-secret php -S localhost:4000 index.php",
    "files": [
      {
        "name": "index.php",
        "language": "php",
        "code": "<?php\nrequire 'vendor/autoload.php';\n\nuse League\\OAuth2\\Client\\Provider\\GenericProvider;\n\nsession_start();\nheader('Content-Type: text/plain; charset=utf-8');\n$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);\n\n$vrata = new GenericProvider([\n    'clientId' => 'YOUR_CLIENT_ID',\n    'clientSecret' => getenv('VRATA_CLIENT_SECRET'),\n    'redirectUri' => 'http://localhost:4000/callback',\n    'urlAuthorize' => 'https://id.example.com/authorize',\n    'urlAccessToken' => 'https://id.example.com/token',\n    'urlResourceOwnerDetails' => 'https://id.example.com/userinfo',\n    'responseResourceOwnerId' => 'sub',\n    'scopes' => 'openid profile email',\n    'pkceMethod' => GenericProvider::PKCE_METHOD_S256,\n]);\n\nif ($path === '/sign-in') {\n    $url = $vrata->getAuthorizationUrl();\n    $_SESSION['authorization'] = ['state' => $vrata->getState(), 'verifier' => $vrata->getPkceCode()];\n    header(\"Location: $url\");\n    exit;\n}\n\nif ($path === '/callback') {\n    $authorization = $_SESSION['authorization'] ?? null;\n    unset($_SESSION['authorization']);\n    if (!isset($_GET['code'], $_GET['state'], $authorization) || !hash_equals($authorization['state'], $_GET['state'])) {\n        http_response_code(400);\n        exit('The sign-in failed. Try again at /sign-in');\n    }\n    $vrata->setPkceCode($authorization['verifier']);\n    $tokens = $vrata->getAccessToken('authorization_code', ['code' => $_GET['code']]);\n    $user = $vrata->getResourceOwner($tokens)->toArray();\n    session_regenerate_id(true);\n    $_SESSION['user'] = ['sub' => $user['sub'], 'name' => $user['name'] ?? $user['sub']];\n    header('Location: /');\n    exit;\n}\n\necho isset($_SESSION['user']) ? \"Hello, {$_SESSION['user']['name']}\" : 'You are not signed in. Open /sign-in';\n"
      }
    ]
  },
  {
    "key": "spring",
    "title": "Spring",
    "kinds": [
      "web"
    ],
    "redirect_uri": "http://localhost:4000/login/oauth2/code/vrata",
    "run": "VRATA_CLIENT_SECRET=your-secret mvn spring-boot:run",
    "open": "http://localhost:4000/",
    "id_token_algorithms": [
      "RS256"
    ],
    "files": [
      {
        "name": "src/main/java/example/App.java",
        "language": "java",
        "code": "package example;\n\nimport org.springframework.boot.SpringApplication;\nimport org.springframework.boot.autoconfigure.SpringBootApplication;\nimport org.springframework.security.core.annotation.AuthenticationPrincipal;\nimport org.springframework.security.oauth2.core.oidc.user.OidcUser;\nimport org.springframework.web.bind.annotation.GetMapping;\nimport org.springframework.web.bind.annotation.RestController;\n\n// Spring Security protects every page: it sends visitors to Vrata\n// and keeps the signed-in user in the session.\n@SpringBootApplication\n@RestController\npublic class App {\n\n  public static void main(String[] args) {\n    SpringApplication.run(App.class, args);\n  }\n\n  @GetMapping(path = \"/\", produces = \"text/plain; charset=utf-8\")\n  String hello(@AuthenticationPrincipal OidcUser user) {\n    // user.getSubject() identifies the user in your app.\n    return \"Hello, \" + user.getFullName();\n  }\n}\n"
      },
      {
        "name": "src/main/resources/application.yml",
        "language": "yaml",
        "code": "server:\n  address: localhost\n  port: 4000\nspring:\n  security:\n    oauth2:\n      client:\n        registration:\n          vrata:\n            client-id: YOUR_CLIENT_ID\n            client-secret: ${VRATA_CLIENT_SECRET}\n            scope: openid, profile, email\n        provider:\n          vrata:\n            issuer-uri: https://id.example.com\n"
      },
      {
        "name": "pom.xml",
        "language": "xml",
        "code": "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n  <parent>\n    <groupId>org.springframework.boot</groupId>\n    <artifactId>spring-boot-starter-parent</artifactId>\n    <version>4.1.2</version>\n  </parent>\n  <groupId>example</groupId>\n  <artifactId>example</artifactId>\n  <version>1</version>\n  <dependencies>\n    <dependency>\n      <groupId>org.springframework.boot</groupId>\n      <artifactId>spring-boot-starter-webmvc</artifactId>\n    </dependency>\n    <dependency>\n      <groupId>org.springframework.boot</groupId>\n      <artifactId>spring-boot-starter-security-oauth2-client</artifactId>\n    </dependency>\n  </dependencies>\n  <build>\n    <plugins>\n      <plugin>\n        <groupId>org.springframework.boot</groupId>\n        <artifactId>spring-boot-maven-plugin</artifactId>\n      </plugin>\n    </plugins>\n  </build>\n</project>\n"
      }
    ]
  },
  {
    "key": "aspnet",
    "title": "ASP.NET Core",
    "kinds": [
      "web"
    ],
    "redirect_uri": "http://localhost:4000/callback",
    "open": "http://localhost:4000/sign-in",
    "run": "VRATA_CLIENT_SECRET=your-secret dotnet run app.cs",
    "id_token_algorithms": [
      "RS256",
      "ES256"
    ],
    "files": [
      {
        "name": "app.cs",
        "language": "csharp",
        "code": "#:sdk Microsoft.NET.Sdk.Web\n#:package Microsoft.AspNetCore.Authentication.OpenIdConnect@10.0.*\n\nusing System.Security.Claims;\nusing Microsoft.AspNetCore.Authentication.Cookies;\nusing Microsoft.AspNetCore.Authentication.OpenIdConnect;\nusing Microsoft.IdentityModel.Protocols.OpenIdConnect;\n\nvar builder = WebApplication.CreateBuilder(args);\nbuilder.WebHost.UseUrls(\"http://localhost:4000\");\nbuilder.Services.AddAuthorization();\nbuilder.Services\n    .AddAuthentication(options =>\n    {\n        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;\n        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;\n    })\n    .AddCookie()\n    .AddOpenIdConnect(options =>\n    {\n        options.Authority = \"https://id.example.com\";\n        options.RequireHttpsMetadata = false; // while Vrata runs on http\n        options.ClientId = \"YOUR_CLIENT_ID\";\n        options.ClientSecret = Environment.GetEnvironmentVariable(\"VRATA_CLIENT_SECRET\");\n        options.CallbackPath = \"/callback\";\n        options.ResponseType = OpenIdConnectResponseType.Code;\n        options.ResponseMode = OpenIdConnectResponseMode.Query;\n        options.Scope.Add(\"email\");\n        options.GetClaimsFromUserInfoEndpoint = true;\n        // Claims keep the names that they have in OpenID Connect.\n        options.MapInboundClaims = false;\n        options.TokenValidationParameters.NameClaimType = \"name\";\n    });\n\nvar app = builder.Build();\napp.UseAuthentication();\napp.UseAuthorization();\n\n// user.FindFirst(\"sub\") identifies the user in your app.\napp.MapGet(\"/sign-in\", (ClaimsPrincipal user) => $\"Hello, {user.Identity?.Name}\").RequireAuthorization();\napp.Run();\n"
      }
    ]
  },
  {
    "key": "curl",
    "title": "cURL",
    "kinds": [
      "web"
    ],
    "redirect_uri": "http://localhost:4000/callback",
    "run": "VRATA_CLIENT_SECRET=your-secret sh sign-in.sh",
    "files": [
      {
        "name": "sign-in.sh",
        "language": "sh",
        "code": "#!/bin/sh\nset -eu\nrandom() { openssl rand -base64 48 | tr -d '=\\n' | tr '+/' '-_'; }\n\nverifier=$(random)\nchallenge=$(printf %s \"$verifier\" | openssl dgst -sha256 -binary | openssl base64 | tr -d '=\\n' | tr '+/' '-_')\n\necho \"1. Open this address and sign in:\"\necho \"https://id.example.com/authorize?response_type=code&client_id=YOUR_CLIENT_ID&redirect_uri=http://localhost:4000/callback&scope=openid%20profile%20email&state=$(random)&code_challenge=$challenge&code_challenge_method=S256\"\necho \"2. The browser is redirected to a page that cannot be loaded. Copy the value of code from its address and paste it here:\"\nread -r code\n\ntokens=$(curl --silent --show-error --fail-with-body https://id.example.com/token \\\n  --user \"YOUR_CLIENT_ID:$VRATA_CLIENT_SECRET\" \\\n  --data grant_type=authorization_code \\\n  --data-urlencode \"code=$code\" \\\n  --data-urlencode redirect_uri=http://localhost:4000/callback \\\n  --data-urlencode \"code_verifier=$verifier\")\naccess_token=$(printf %s \"$tokens\" | sed 's/.*\"access_token\":\"\\([^\"]*\\)\".*/\\1/')\n\ncurl --silent --show-error --fail-with-body https://id.example.com/userinfo --header \"Authorization: Bearer $access_token\"\n"
      }
    ]
  },
  {
    "key": "javascript",
    "title": "JavaScript",
    "kinds": [
      "spa"
    ],
    "redirect_uri": "http://localhost:4000/",
    "origin": "http://localhost:4000",
    "open": "http://localhost:4000/",
    "run": "npx serve --listen 4000",
    "files": [
      {
        "name": "index.html",
        "language": "html",
        "code": "<!doctype html>\n<html lang=\"en\">\n  <meta charset=\"utf-8\">\n  <title>Sign in with Vrata</title>\n  <h1 id=\"status\">You are not signed in</h1>\n  <p id=\"sign-in\"></p>\n\n  <script type=\"module\">\n    import { completeSignIn, exchange, messageOf, signInButton } from 'https://id.example.com/sign-in.js'\n\n    const show = (text) => {\n      document.getElementById('status').textContent = text\n    }\n    const failed = (error) => show(messageOf(error))\n\n    async function greet(result) {\n      const { access_token } = await exchange(result)\n      const headers = { authorization: `Bearer ${access_token}` }\n      const response = await fetch('https://id.example.com/userinfo', { headers })\n      const user = await response.json()\n      show(`Hello, ${user.name ?? user.sub}`)\n    }\n\n    document.getElementById('sign-in').append(\n      signInButton({\n        issuer: 'https://id.example.com',\n        client_id: 'YOUR_CLIENT_ID',\n        redirect_uri: 'http://localhost:4000/',\n        // Redirects this page. Use `popup` once popups are allowed in the settings of your app.\n        display: 'redirect',\n        onSuccess: greet,\n        onError: failed,\n      }),\n    )\n\n    // Completes the sign-in if the browser was redirected here by Vrata.\n    completeSignIn().then((result) => result && greet(result)).catch(failed)\n  </script>\n</html>\n"
      }
    ]
  },
  {
    "key": "react",
    "title": "React",
    "kinds": [
      "spa"
    ],
    "redirect_uri": "http://localhost:4000/",
    "origin": "http://localhost:4000",
    "open": "http://localhost:4000/",
    "install": "npm install react react-dom react-oidc-context oidc-client-ts vite",
    "run": "npx vite --port 4000 --strictPort",
    "id_token_algorithms": [
      "RS256",
      "ES256",
      "EdDSA"
    ],
    "files": [
      {
        "name": "src/main.jsx",
        "language": "jsx",
        "code": "import { createRoot } from 'react-dom/client'\nimport { AuthProvider, useAuth } from 'react-oidc-context'\n\nconst vrata = {\n  authority: 'https://id.example.com',\n  client_id: 'YOUR_CLIENT_ID',\n  redirect_uri: 'http://localhost:4000/',\n  scope: 'openid profile email',\n  loadUserInfo: true,\n  // Removes the used code from the address bar.\n  onSigninCallback: () => history.replaceState(null, '', '/'),\n}\n\nfunction App() {\n  const auth = useAuth()\n  if (auth.isLoading) return <p>Loading…</p>\n  if (auth.error) return <p>{auth.error.message}</p>\n  if (auth.user) return <h1>Hello, {auth.user.profile.name ?? auth.user.profile.sub}</h1>\n  return (\n    <button type=\"button\" onClick={() => auth.signinRedirect()}>\n      Sign in with Vrata\n    </button>\n  )\n}\n\ncreateRoot(document.getElementById('root')).render(\n  <AuthProvider {...vrata}>\n    <App />\n  </AuthProvider>,\n)\n"
      },
      {
        "name": "index.html",
        "language": "html",
        "code": "<!doctype html>\n<html lang=\"en\">\n  <meta charset=\"utf-8\">\n  <title>Sign in with Vrata</title>\n  <div id=\"root\"></div>\n  <script type=\"module\" src=\"/src/main.jsx\"></script>\n</html>\n"
      }
    ]
  },
  {
    "key": "native",
    "title": "Node",
    "kinds": [
      "native"
    ],
    "redirect_uri": "http://127.0.0.1/callback",
    "install": "npm install openid-client",
    "run": "node sign-in.mjs",
    "id_token_algorithms": [
      "RS256",
      "ES256",
      "EdDSA"
    ],
    "files": [
      {
        "name": "sign-in.mjs",
        "language": "js",
        "code": "import { createServer } from 'node:http'\nimport * as oidc from 'openid-client'\n\nconst vrata = await oidc.discovery(\n  new URL('https://id.example.com'),\n  'YOUR_CLIENT_ID',\n  undefined,\n  oidc.None(),\n  { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http\n)\n\n// Any free port: for native apps, Vrata ignores the port of a redirect URI on 127.0.0.1 (RFC 8252).\nconst server = createServer()\nawait new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))\nconst redirectUri = `http://127.0.0.1:${server.address().port}/callback`\n\nconst verifier = oidc.randomPKCECodeVerifier()\nconst state = oidc.randomState()\nconst authorizationUrl = oidc.buildAuthorizationUrl(vrata, {\n  redirect_uri: redirectUri,\n  scope: 'openid profile email',\n  state,\n  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: 'S256',\n})\nconsole.log(`Open this address to sign in:\\n${authorizationUrl.href}`)\n\nconst url = await new Promise((resolve) => {\n  server.on('request', (request, response) => {\n    const callbackUrl = new URL(request.url, redirectUri)\n    if (callbackUrl.pathname !== '/callback') return response.writeHead(404).end()\n    response.end('You can close this page and go back to the app.')\n    resolve(callbackUrl)\n  })\n})\nserver.close()\n\nconst tokens = await oidc.authorizationCodeGrant(vrata, url, { pkceCodeVerifier: verifier, expectedState: state })\nconst user = await oidc.fetchUserInfo(vrata, tokens.access_token, tokens.claims().sub)\nconsole.log(`Hello, ${user.name ?? user.sub}`)\n"
      }
    ]
  },
  {
    "key": "swift",
    "title": "Swift (iOS)",
    "kinds": [
      "native"
    ],
    "redirect_uri": "com.example.app:/callback",
    "run": "xed .",
    "id_token_algorithms": [
      "RS256",
      "ES256",
      "EdDSA"
    ],
    "files": [
      {
        "name": "SignInView.swift",
        "language": "swift",
        "code": "// In Xcode: a new iOS app, with the package https://github.com/openid/AppAuth-iOS (File > Add Package Dependencies).\nimport AppAuth\nimport SwiftUI\n\nstruct SignInView: View {\n    @State private var message = \"\"\n    // Kept until the browser returns to the app.\n    @State private var flow: OIDExternalUserAgentSession?\n\n    var body: some View {\n        VStack(spacing: 16) {\n            Button(\"Sign in with Vrata\", action: signIn)\n            Text(message)\n        }\n    }\n\n    private func signIn() {\n        let issuer = URL(string: \"https://id.example.com\")!\n        OIDAuthorizationService.discoverConfiguration(forIssuer: issuer) { configuration, error in\n            guard let configuration, let window = currentWindow, let screen = window.rootViewController else {\n                return show(error)\n            }\n            // AppAuth adds state, nonce and PKCE.\n            let request = OIDAuthorizationRequest(\n                configuration: configuration,\n                clientId: \"YOUR_CLIENT_ID\",\n                clientSecret: nil,\n                scopes: [OIDScopeOpenID, OIDScopeProfile, OIDScopeEmail],\n                redirectURL: URL(string: \"com.example.app:/callback\")!,\n                responseType: OIDResponseTypeCode,\n                additionalParameters: nil)\n            flow = OIDAuthState.authState(byPresenting: request, presenting: screen) { authState, error in\n                flow = nil\n                guard let authState else { return show(error) }\n                greet(authState)\n            }\n        }\n    }\n\n    /// Store `authState` in the keychain: it also renews the tokens.\n    private func greet(_ authState: OIDAuthState) {\n        authState.performAction { accessToken, _, error in\n            let discovery = authState.lastAuthorizationResponse.request.configuration.discoveryDocument\n            guard let accessToken, let endpoint = discovery?.userinfoEndpoint else { return show(error) }\n            var request = URLRequest(url: endpoint)\n            request.setValue(\"Bearer \\(accessToken)\", forHTTPHeaderField: \"Authorization\")\n            URLSession.shared.dataTask(with: request) { data, _, error in\n                let user = data.flatMap { try? JSONDecoder().decode(User.self, from: $0) }\n                DispatchQueue.main.async {\n                    guard let user else { return show(error) }\n                    message = \"Hello, \\(user.name ?? user.sub)\"\n                }\n            }.resume()\n        }\n    }\n\n    private func show(_ error: Error?) {\n        message = error?.localizedDescription ?? \"Something went wrong\"\n    }\n\n    private var currentWindow: UIWindow? {\n        UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.keyWindow }.first\n    }\n}\n\nprivate struct User: Decodable {\n    let sub: String\n    let name: String?\n}\n"
      },
      {
        "name": "VrataApp.swift",
        "language": "swift",
        "code": "import SwiftUI\n\n@main\nstruct VrataApp: App {\n    var body: some Scene {\n        WindowGroup { SignInView() }\n    }\n}\n"
      }
    ]
  },
  {
    "key": "kotlin",
    "title": "Kotlin",
    "kinds": [
      "native"
    ],
    "redirect_uri": "http://127.0.0.1/callback",
    "install": "mvn compile",
    "run": "mvn --quiet exec:java",
    "id_token_algorithms": [
      "RS256"
    ],
    "files": [
      {
        "name": "src/main/kotlin/SignIn.kt",
        "language": "kotlin",
        "code": "import com.nimbusds.jose.JWSAlgorithm\nimport com.nimbusds.oauth2.sdk.AuthorizationCodeGrant\nimport com.nimbusds.oauth2.sdk.ResponseType\nimport com.nimbusds.oauth2.sdk.Scope\nimport com.nimbusds.oauth2.sdk.TokenRequest\nimport com.nimbusds.oauth2.sdk.id.ClientID\nimport com.nimbusds.oauth2.sdk.id.Issuer\nimport com.nimbusds.oauth2.sdk.id.State\nimport com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod\nimport com.nimbusds.oauth2.sdk.pkce.CodeVerifier\nimport com.nimbusds.openid.connect.sdk.AuthenticationRequest\nimport com.nimbusds.openid.connect.sdk.AuthenticationResponseParser\nimport com.nimbusds.openid.connect.sdk.Nonce\nimport com.nimbusds.openid.connect.sdk.OIDCTokenResponse\nimport com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser\nimport com.nimbusds.openid.connect.sdk.UserInfoRequest\nimport com.nimbusds.openid.connect.sdk.UserInfoResponse\nimport com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata\nimport com.nimbusds.openid.connect.sdk.validators.IDTokenValidator\nimport com.sun.net.httpserver.HttpServer\nimport java.net.InetSocketAddress\nimport java.net.URI\nimport java.util.concurrent.CompletableFuture\n\nfun main() {\n    val vrata = OIDCProviderMetadata.resolve(Issuer(\"https://id.example.com\"))\n    val clientId = ClientID(\"YOUR_CLIENT_ID\")\n\n    // Any free port: for native apps, Vrata ignores the port of a redirect URI on 127.0.0.1 (RFC 8252).\n    val server = HttpServer.create(InetSocketAddress(\"127.0.0.1\", 0), 0)\n    val redirectUri = URI(\"http://127.0.0.1:${server.address.port}/callback\")\n    val callback = CompletableFuture<URI>()\n    server.createContext(\"/callback\") { exchange ->\n        val page = \"You can close this page and go back to the app.\".toByteArray()\n        exchange.sendResponseHeaders(200, page.size.toLong())\n        exchange.responseBody.use { it.write(page) }\n        callback.complete(redirectUri.resolve(exchange.requestURI))\n    }\n    server.start()\n\n    val state = State()\n    val nonce = Nonce()\n    val codeVerifier = CodeVerifier()\n    val request = AuthenticationRequest.Builder(ResponseType.CODE, Scope(\"openid\", \"profile\", \"email\"), clientId, redirectUri)\n        .endpointURI(vrata.authorizationEndpointURI)\n        .state(state)\n        .nonce(nonce)\n        .codeChallenge(codeVerifier, CodeChallengeMethod.S256)\n        .build()\n    println(\"Open this address to sign in:\\n${request.toURI()}\")\n\n    val response = AuthenticationResponseParser.parse(callback.get())\n    server.stop(0)\n    check(response.state == state) { \"state does not match\" }\n    check(response.indicatesSuccess()) { response.toErrorResponse().errorObject.toString() }\n\n    val grant = AuthorizationCodeGrant(response.toSuccessResponse().authorizationCode, redirectUri, codeVerifier)\n    val tokenResponse = OIDCTokenResponseParser.parse(\n        TokenRequest.Builder(vrata.tokenEndpointURI, clientId, grant).build().toHTTPRequest().send(),\n    )\n    check(tokenResponse.indicatesSuccess()) { tokenResponse.toErrorResponse().errorObject.toString() }\n    val tokens = (tokenResponse.toSuccessResponse() as OIDCTokenResponse).oidcTokens\n    val idToken = IDTokenValidator(vrata.issuer, clientId, JWSAlgorithm.RS256, vrata.jwkSetURI.toURL())\n        .validate(tokens.idToken, nonce)\n\n    val userInfoResponse = UserInfoResponse.parse(\n        UserInfoRequest(vrata.userInfoEndpointURI, tokens.accessToken).toHTTPRequest().send(),\n    )\n    check(userInfoResponse.indicatesSuccess()) { userInfoResponse.toErrorResponse().errorObject.toString() }\n    val user = userInfoResponse.toSuccessResponse().userInfo\n    check(user.subject == idToken.subject) { \"The user info is of another user\" }\n    println(\"Hello, ${user.name ?: user.subject}\")\n}\n"
      },
      {
        "name": "pom.xml",
        "language": "xml",
        "code": "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>example</groupId>\n  <artifactId>example</artifactId>\n  <version>1</version>\n  <properties>\n    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n  </properties>\n  <dependencies>\n    <dependency>\n      <groupId>org.jetbrains.kotlin</groupId>\n      <artifactId>kotlin-stdlib</artifactId>\n      <version>2.2.21</version>\n    </dependency>\n    <dependency>\n      <groupId>com.nimbusds</groupId>\n      <artifactId>oauth2-oidc-sdk</artifactId>\n      <version>11.38.2</version>\n    </dependency>\n  </dependencies>\n  <build>\n    <sourceDirectory>src/main/kotlin</sourceDirectory>\n    <plugins>\n      <plugin>\n        <groupId>org.jetbrains.kotlin</groupId>\n        <artifactId>kotlin-maven-plugin</artifactId>\n        <version>2.2.21</version>\n        <executions>\n          <execution>\n            <goals>\n              <goal>compile</goal>\n            </goals>\n          </execution>\n        </executions>\n      </plugin>\n      <plugin>\n        <groupId>org.codehaus.mojo</groupId>\n        <artifactId>exec-maven-plugin</artifactId>\n        <version>3.6.2</version>\n        <configuration>\n          <mainClass>SignInKt</mainClass>\n        </configuration>\n      </plugin>\n    </plugins>\n  </build>\n</project>\n"
      }
    ]
  },
  {
    "key": "csharp",
    "title": "C#",
    "kinds": [
      "native"
    ],
    "redirect_uri": "http://127.0.0.1/callback",
    "run": "dotnet run sign-in.cs",
    "id_token_algorithms": [
      "RS256",
      "ES256",
      "EdDSA"
    ],
    "files": [
      {
        "name": "sign-in.cs",
        "language": "csharp",
        "code": "#:package Duende.IdentityModel.OidcClient@7.1.0\n\nusing System.Net;\nusing System.Net.Sockets;\nusing System.Text;\nusing Duende.IdentityModel.OidcClient;\n\n// Any free port: for native apps, Vrata ignores the port of a redirect URI on 127.0.0.1 (RFC 8252).\nvar probe = new TcpListener(IPAddress.Loopback, 0);\nprobe.Start();\nvar port = ((IPEndPoint)probe.LocalEndpoint).Port;\nprobe.Stop();\n\nvar vrata = new OidcClient(new OidcClientOptions\n{\n    Authority = \"https://id.example.com\",\n    ClientId = \"YOUR_CLIENT_ID\",\n    Scope = \"openid profile email\",\n    RedirectUri = $\"http://127.0.0.1:{port}/callback\",\n});\n\nusing var listener = new HttpListener();\nlistener.Prefixes.Add($\"http://127.0.0.1:{port}/callback/\");\nlistener.Start();\n\nvar state = await vrata.PrepareLoginAsync();\nConsole.WriteLine($\"Open this address to sign in:\\n{state.StartUrl}\");\n\nvar context = await listener.GetContextAsync();\nawait context.Response.OutputStream.WriteAsync(\n    Encoding.UTF8.GetBytes(\"You can close this page and go back to the app.\"));\ncontext.Response.Close();\n\nvar result = await vrata.ProcessResponseAsync(context.Request.Url!.AbsoluteUri, state);\nif (result.IsError) throw new Exception($\"{result.Error} {result.ErrorDescription}\");\nConsole.WriteLine($\"Hello, {result.User.FindFirst(\"name\")?.Value ?? result.User.FindFirst(\"sub\")?.Value}\");\n"
      }
    ]
  },
  {
    "key": "api-node",
    "title": "Node",
    "kinds": [
      "service"
    ],
    "run": "VRATA_CLIENT_SECRET=your-secret node api.mjs",
    "files": [
      {
        "name": "api.mjs",
        "language": "js",
        "code": "import { createServer } from 'node:http'\n\nconst credentials = btoa(`YOUR_CLIENT_ID:${process.env.VRATA_CLIENT_SECRET}`)\n\n/** Returns the user and the scopes of this API that an access token stands for, or undefined if it is not valid (RFC 7662). */\nasync function introspect(token) {\n  const answer = await fetch('https://id.example.com/introspect', {\n    method: 'POST',\n    headers: { authorization: `Basic ${credentials}` },\n    body: new URLSearchParams({ token }),\n  })\n  if (!answer.ok) throw new Error(`Vrata answered ${answer.status}: ${await answer.text()}`)\n  const { active, sub, scope } = await answer.json()\n  return active ? { sub, scopes: scope.split(' ') } : undefined\n}\n\ncreateServer(async (request, response) => {\n  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]\n  const caller = token && (await introspect(token))\n  if (!caller) return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('Sign in first\\n')\n  response.end(`${caller.sub} may: ${caller.scopes.join(', ')}\\n`)\n}).listen(4000, 'localhost', () => console.log('The API is running at http://localhost:4000'))\n"
      }
    ]
  },
  {
    "key": "api-curl",
    "title": "cURL",
    "kinds": [
      "service"
    ],
    "run": "VRATA_CLIENT_SECRET=your-secret sh introspect.sh the-token",
    "files": [
      {
        "name": "introspect.sh",
        "language": "sh",
        "code": "#!/bin/sh\nset -eu\n# $1 is the access token that your API has received.\ncurl --silent --show-error --fail-with-body https://id.example.com/introspect \\\n  --user \"YOUR_CLIENT_ID:$VRATA_CLIENT_SECRET\" \\\n  --data-urlencode \"token=$1\"\n"
      }
    ]
  }
]
