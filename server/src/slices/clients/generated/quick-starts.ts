// Made from examples/quick-starts by `npm run gen`.
import type { QuickStartTemplate } from '../quick-start.ts'

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
    "files": [
      {
        "name": "app.mjs",
        "language": "js",
        "code": "import express from 'express'\nimport session from 'express-session'\nimport * as oidc from 'openid-client'\n\nconst redirectUri = 'http://localhost:4000/callback'\nconst vrata = await oidc.discovery(\n  new URL('https://id.example.com'),\n  'YOUR_CLIENT_ID',\n  process.env.VRATA_CLIENT_SECRET,\n  undefined, // while Vrata runs on http\n  { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http\n)\n\nconst app = express()\napp.use(session({ secret: crypto.randomUUID(), resave: false, saveUninitialized: false, cookie: { sameSite: 'lax' } }))\n\napp.get('/', (req, res) => {\n  const { person } = req.session\n  res.type('text').send(person ? `Hello, ${person.name ?? person.sub}` : 'Nobody is signed in. Go to /sign-in')\n})\n\napp.get('/sign-in', async (req, res) => {\n  const verifier = oidc.randomPKCECodeVerifier()\n  const state = oidc.randomState()\n  req.session.pending = { verifier, state }\n  const address = oidc.buildAuthorizationUrl(vrata, {\n    redirect_uri: redirectUri,\n    scope: 'openid profile email',\n    state,\n    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),\n    code_challenge_method: 'S256',\n  })\n  res.redirect(address.href)\n})\n\napp.get('/callback', async (req, res) => {\n  const { verifier, state } = req.session.pending ?? {}\n  const tokens = await oidc.authorizationCodeGrant(vrata, new URL(req.originalUrl, redirectUri), {\n    pkceCodeVerifier: verifier,\n    expectedState: state,\n  })\n  const person = await oidc.fetchUserInfo(vrata, tokens.access_token, tokens.claims().sub)\n  // A new session, so that nobody has planted its id beforehand.\n  req.session.regenerate(() => {\n    req.session.person = person\n    res.redirect('/')\n  })\n})\n\napp.listen(4000, () => console.log('Open http://localhost:4000/sign-in'))\n"
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
    "files": [
      {
        "name": "vrata.js",
        "language": "js",
        "code": "import * as oidc from 'openid-client'\n\nexport const redirectUri = 'http://localhost:4000/callback'\n\nlet known\n/** What Vrata says of itself, asked for once. */\nexport function vrata() {\n  known ??= oidc.discovery(\n    new URL('https://id.example.com'),\n    'YOUR_CLIENT_ID',\n    process.env.VRATA_CLIENT_SECRET,\n    undefined, // while Vrata runs on http\n    { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http\n  )\n  return known\n}\n\nexport const cookie = { httpOnly: true, sameSite: 'lax', secure: redirectUri.startsWith('https:'), path: '/' }\n"
      },
      {
        "name": "app/sign-in/route.js",
        "language": "js",
        "code": "import { cookies } from 'next/headers'\nimport { redirect } from 'next/navigation'\nimport * as oidc from 'openid-client'\nimport { cookie, redirectUri, vrata } from '../../vrata.js'\n\nexport async function GET() {\n  const verifier = oidc.randomPKCECodeVerifier()\n  const state = oidc.randomState()\n  const jar = await cookies()\n  jar.set('pending', JSON.stringify({ verifier, state }), { ...cookie, maxAge: 600 })\n  const address = oidc.buildAuthorizationUrl(await vrata(), {\n    redirect_uri: redirectUri,\n    scope: 'openid profile email',\n    state,\n    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),\n    code_challenge_method: 'S256',\n  })\n  redirect(address.href)\n}\n"
      },
      {
        "name": "app/callback/route.js",
        "language": "js",
        "code": "import { cookies } from 'next/headers'\nimport { redirect } from 'next/navigation'\nimport * as oidc from 'openid-client'\nimport { cookie, redirectUri, vrata } from '../../vrata.js'\n\nexport async function GET(request) {\n  const jar = await cookies()\n  const { verifier, state } = JSON.parse(jar.get('pending')?.value ?? '{}')\n  const { search } = new URL(request.url)\n  const tokens = await oidc.authorizationCodeGrant(await vrata(), new URL(search, redirectUri), {\n    pkceCodeVerifier: verifier,\n    expectedState: state,\n  })\n  const person = await oidc.fetchUserInfo(await vrata(), tokens.access_token, tokens.claims().sub)\n  jar.delete('pending')\n  // For showing only: begin a session of your own here, for person.sub.\n  jar.set('name', person.name ?? person.sub, cookie)\n  redirect('/')\n}\n"
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
    "files": [
      {
        "name": "app.mjs",
        "language": "js",
        "code": "import cookie from '@fastify/cookie'\nimport session from '@fastify/session'\nimport Fastify from 'fastify'\nimport * as oidc from 'openid-client'\n\nconst redirectUri = 'http://localhost:4000/callback'\nconst vrata = await oidc.discovery(\n  new URL('https://id.example.com'),\n  'YOUR_CLIENT_ID',\n  process.env.VRATA_CLIENT_SECRET,\n  undefined, // while Vrata runs on http\n  { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http\n)\n\nconst app = Fastify()\nawait app.register(cookie)\nawait app.register(session, {\n  secret: crypto.randomUUID(),\n  saveUninitialized: false,\n  cookie: { sameSite: 'lax', secure: 'auto' },\n})\n\napp.get('/', async (request) => {\n  const { person } = request.session\n  return person ? `Hello, ${person.name ?? person.sub}` : 'Nobody is signed in. Go to /sign-in'\n})\n\napp.get('/sign-in', async (request, reply) => {\n  const verifier = oidc.randomPKCECodeVerifier()\n  const state = oidc.randomState()\n  request.session.pending = { verifier, state }\n  const address = oidc.buildAuthorizationUrl(vrata, {\n    redirect_uri: redirectUri,\n    scope: 'openid profile email',\n    state,\n    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),\n    code_challenge_method: 'S256',\n  })\n  return reply.redirect(address.href)\n})\n\napp.get('/callback', async (request, reply) => {\n  const { verifier, state } = request.session.pending ?? {}\n  const tokens = await oidc.authorizationCodeGrant(vrata, new URL(request.url, redirectUri), {\n    pkceCodeVerifier: verifier,\n    expectedState: state,\n  })\n  const person = await oidc.fetchUserInfo(vrata, tokens.access_token, tokens.claims().sub)\n  // A new session, so that nobody has planted its id beforehand.\n  await request.session.regenerate()\n  request.session.person = person\n  return reply.redirect('/')\n})\n\nawait app.listen({ port: 4000 })\nconsole.log('Open http://localhost:4000/sign-in')\n"
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
    "files": [
      {
        "name": "app.py",
        "language": "python",
        "code": "import os\nimport secrets\n\nfrom authlib.integrations.flask_client import OAuth\nfrom flask import Flask, redirect, session\n\napp = Flask(__name__)\napp.secret_key = secrets.token_hex()\n\nvrata = OAuth(app).register(\n    \"vrata\",\n    client_id=\"YOUR_CLIENT_ID\",\n    client_secret=os.environ[\"VRATA_CLIENT_SECRET\"],\n    server_metadata_url=\"https://id.example.com/.well-known/openid-configuration\",\n    client_kwargs={\"scope\": \"openid profile email\", \"code_challenge_method\": \"S256\"},\n)\n\n\n@app.get(\"/\")\ndef home():\n    person = session.get(\"person\")\n    return f\"Hello, {person.get('name', person['sub'])}\" if person else \"Nobody is signed in. Go to /sign-in\"\n\n\n@app.get(\"/sign-in\")\ndef sign_in():\n    return vrata.authorize_redirect(\"http://localhost:4000/callback\")\n\n\n@app.get(\"/callback\")\ndef callback():\n    token = vrata.authorize_access_token()\n    person = vrata.userinfo(token=token)\n    session.clear()\n    session[\"person\"] = person\n    return redirect(\"/\")\n\n\nif __name__ == \"__main__\":\n    app.run(host=\"localhost\", port=4000)\n"
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
    "files": [
      {
        "name": "main.go",
        "language": "go",
        "code": "package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\t\"log\"\n\t\"net/http\"\n\t\"os\"\n\n\t\"github.com/coreos/go-oidc/v3/oidc\"\n\t\"golang.org/x/oauth2\"\n)\n\nfunc main() {\n\tprovider, err := oidc.NewProvider(context.Background(), \"https://id.example.com\")\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tvrata := oauth2.Config{\n\t\tClientID:     \"YOUR_CLIENT_ID\",\n\t\tClientSecret: os.Getenv(\"VRATA_CLIENT_SECRET\"),\n\t\tEndpoint:     provider.Endpoint(),\n\t\tRedirectURL:  \"http://localhost:4000/callback\",\n\t\tScopes:       []string{oidc.ScopeOpenID, \"profile\", \"email\"},\n\t}\n\tverifier := provider.Verifier(&oidc.Config{ClientID: vrata.ClientID})\n\n\thttp.HandleFunc(\"/sign-in\", func(w http.ResponseWriter, r *http.Request) {\n\t\tstate, proof := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()\n\t\tkeep(w, \"state\", state)\n\t\tkeep(w, \"proof\", proof)\n\t\thttp.Redirect(w, r, vrata.AuthCodeURL(state, oauth2.S256ChallengeOption(proof)), http.StatusFound)\n\t})\n\n\thttp.HandleFunc(\"/callback\", func(w http.ResponseWriter, r *http.Request) {\n\t\tif kept(r, \"state\") == \"\" || r.FormValue(\"state\") != kept(r, \"state\") {\n\t\t\thttp.Error(w, \"this sign-in was not begun here\", http.StatusBadRequest)\n\t\t\treturn\n\t\t}\n\t\ttokens, err := vrata.Exchange(r.Context(), r.FormValue(\"code\"), oauth2.VerifierOption(kept(r, \"proof\")))\n\t\tif err != nil {\n\t\t\thttp.Error(w, err.Error(), http.StatusBadGateway)\n\t\t\treturn\n\t\t}\n\t\tidToken, _ := tokens.Extra(\"id_token\").(string)\n\t\tif _, err := verifier.Verify(r.Context(), idToken); err != nil {\n\t\t\thttp.Error(w, err.Error(), http.StatusBadGateway)\n\t\t\treturn\n\t\t}\n\t\tinfo, err := provider.UserInfo(r.Context(), vrata.TokenSource(r.Context(), tokens))\n\t\tif err != nil {\n\t\t\thttp.Error(w, err.Error(), http.StatusBadGateway)\n\t\t\treturn\n\t\t}\n\t\tvar person struct{ Name string }\n\t\tif err := info.Claims(&person); err != nil {\n\t\t\thttp.Error(w, err.Error(), http.StatusBadGateway)\n\t\t\treturn\n\t\t}\n\t\t// Here your app begins a session of its own for info.Subject.\n\t\tw.Header().Set(\"Content-Type\", \"text/plain; charset=utf-8\")\n\t\tfmt.Fprintf(w, \"Hello, %s\", person.Name)\n\t})\n\n\tlog.Println(\"Open http://localhost:4000/sign-in\")\n\tlog.Fatal(http.ListenAndServe(\"localhost:4000\", nil))\n}\n\nfunc keep(w http.ResponseWriter, name, value string) {\n\thttp.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: \"/\", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode})\n}\n\nfunc kept(r *http.Request, name string) string {\n\tcookie, err := r.Cookie(name)\n\tif err != nil {\n\t\treturn \"\"\n\t}\n\treturn cookie.Value\n}\n"
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
        "code": "<?php\nrequire 'vendor/autoload.php';\n\nuse League\\OAuth2\\Client\\Provider\\GenericProvider;\n\nsession_start();\nheader('Content-Type: text/plain; charset=utf-8');\n$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);\n\n$vrata = new GenericProvider([\n    'clientId' => 'YOUR_CLIENT_ID',\n    'clientSecret' => getenv('VRATA_CLIENT_SECRET'),\n    'redirectUri' => 'http://localhost:4000/callback',\n    'urlAuthorize' => 'https://id.example.com/authorize',\n    'urlAccessToken' => 'https://id.example.com/token',\n    'urlResourceOwnerDetails' => 'https://id.example.com/userinfo',\n    'responseResourceOwnerId' => 'sub',\n    'scopes' => 'openid profile email',\n    'pkceMethod' => GenericProvider::PKCE_METHOD_S256,\n]);\n\nif ($path === '/sign-in') {\n    $url = $vrata->getAuthorizationUrl();\n    $_SESSION['asked'] = ['state' => $vrata->getState(), 'verifier' => $vrata->getPkceCode()];\n    header(\"Location: $url\");\n    exit;\n}\n\nif ($path === '/callback') {\n    $asked = $_SESSION['asked'] ?? null;\n    unset($_SESSION['asked']);\n    if (!isset($_GET['code'], $_GET['state'], $asked) || !hash_equals($asked['state'], $_GET['state'])) {\n        http_response_code(400);\n        exit('Nobody was signed in. Start again at /sign-in');\n    }\n    $vrata->setPkceCode($asked['verifier']);\n    $tokens = $vrata->getAccessToken('authorization_code', ['code' => $_GET['code']]);\n    $person = $vrata->getResourceOwner($tokens)->toArray();\n    session_regenerate_id(true);\n    $_SESSION['person'] = ['sub' => $person['sub'], 'name' => $person['name'] ?? $person['sub']];\n    header('Location: /');\n    exit;\n}\n\necho isset($_SESSION['person']) ? \"Hello, {$_SESSION['person']['name']}\" : 'Nobody is signed in. Go to /sign-in';\n"
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
        "code": "#!/bin/sh\nset -eu\nrandom() { openssl rand -base64 48 | tr -d '=\\n' | tr '+/' '-_'; }\n\nverifier=$(random)\nchallenge=$(printf %s \"$verifier\" | openssl dgst -sha256 -binary | openssl base64 | tr -d '=\\n' | tr '+/' '-_')\n\necho \"1. Open this address and sign in:\"\necho \"https://id.example.com/authorize?response_type=code&client_id=YOUR_CLIENT_ID&redirect_uri=http://localhost:4000/callback&scope=openid%20profile%20email&state=$(random)&code_challenge=$challenge&code_challenge_method=S256\"\necho \"2. The browser ends at an address that does not open. Copy what stands there between code= and &, and paste it:\"\nread -r code\n\ntokens=$(curl --silent --show-error --fail-with-body https://id.example.com/token \\\n  --user \"YOUR_CLIENT_ID:$VRATA_CLIENT_SECRET\" \\\n  --data grant_type=authorization_code \\\n  --data-urlencode \"code=$code\" \\\n  --data-urlencode redirect_uri=http://localhost:4000/callback \\\n  --data-urlencode \"code_verifier=$verifier\")\naccess_token=$(printf %s \"$tokens\" | sed 's/.*\"access_token\":\"\\([^\"]*\\)\".*/\\1/')\n\ncurl --silent --show-error --fail-with-body https://id.example.com/userinfo --header \"Authorization: Bearer $access_token\"\n"
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
        "code": "<!doctype html>\n<html lang=\"en\">\n  <meta charset=\"utf-8\">\n  <title>Sign in with Vrata</title>\n  <h1 id=\"hello\">Nobody is signed in</h1>\n  <p id=\"place\"></p>\n\n  <script type=\"module\">\n    import { completeSignIn, exchange, messageOf, signInButton } from 'https://id.example.com/sign-in.js'\n\n    const show = (text) => {\n      document.getElementById('hello').textContent = text\n    }\n    const failed = (error) => show(messageOf(error))\n\n    async function greet(result) {\n      const { access_token } = await exchange(result)\n      const headers = { authorization: `Bearer ${access_token}` }\n      const answer = await fetch('https://id.example.com/userinfo', { headers })\n      const person = await answer.json()\n      show(`Hello, ${person.name ?? person.sub}`)\n    }\n\n    document.getElementById('place').append(\n      signInButton({\n        issuer: 'https://id.example.com',\n        client_id: 'YOUR_CLIENT_ID',\n        redirect_uri: 'http://localhost:4000/',\n        // Leaves this page and comes back. `popup` stays, once that is switched on for your app.\n        display: 'redirect',\n        onSuccess: greet,\n        onError: failed,\n      }),\n    )\n\n    // Back from Vrata, if we come from there.\n    completeSignIn().then((result) => result && greet(result)).catch(failed)\n  </script>\n</html>\n"
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
    "files": [
      {
        "name": "src/main.jsx",
        "language": "jsx",
        "code": "import { createRoot } from 'react-dom/client'\nimport { AuthProvider, useAuth } from 'react-oidc-context'\n\nconst vrata = {\n  authority: 'https://id.example.com',\n  client_id: 'YOUR_CLIENT_ID',\n  redirect_uri: 'http://localhost:4000/',\n  scope: 'openid profile email',\n  loadUserInfo: true,\n  // The code has been used: out of the address with it.\n  onSigninCallback: () => history.replaceState(null, '', '/'),\n}\n\nfunction App() {\n  const auth = useAuth()\n  if (auth.isLoading) return <p>One moment …</p>\n  if (auth.error) return <p>{auth.error.message}</p>\n  if (auth.user) return <h1>Hello, {auth.user.profile.name ?? auth.user.profile.sub}</h1>\n  return (\n    <button type=\"button\" onClick={() => auth.signinRedirect()}>\n      Sign in with Vrata\n    </button>\n  )\n}\n\ncreateRoot(document.getElementById('root')).render(\n  <AuthProvider {...vrata}>\n    <App />\n  </AuthProvider>,\n)\n"
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
    "files": [
      {
        "name": "sign-in.mjs",
        "language": "js",
        "code": "import { createServer } from 'node:http'\nimport * as oidc from 'openid-client'\n\nconst vrata = await oidc.discovery(\n  new URL('https://id.example.com'),\n  'YOUR_CLIENT_ID',\n  undefined,\n  oidc.None(),\n  { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http\n)\n\n// A free port of this machine: Vrata lets the port of 127.0.0.1 vary for this kind of app.\nconst server = createServer()\nawait new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))\nconst redirectUri = `http://127.0.0.1:${server.address().port}/callback`\n\nconst verifier = oidc.randomPKCECodeVerifier()\nconst state = oidc.randomState()\nconst address = oidc.buildAuthorizationUrl(vrata, {\n  redirect_uri: redirectUri,\n  scope: 'openid profile email',\n  state,\n  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: 'S256',\n})\nconsole.log(`Open this address to sign in:\\n${address.href}`)\n\nconst url = await new Promise((resolve) => {\n  server.on('request', (request, response) => {\n    const came = new URL(request.url, redirectUri)\n    if (came.pathname !== '/callback') return response.writeHead(404).end()\n    response.end('You can close this page and go back to the app.')\n    resolve(came)\n  })\n})\nserver.close()\n\nconst tokens = await oidc.authorizationCodeGrant(vrata, url, { pkceCodeVerifier: verifier, expectedState: state })\nconst person = await oidc.fetchUserInfo(vrata, tokens.access_token, tokens.claims().sub)\nconsole.log(`Hello, ${person.name ?? person.sub}`)\n"
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
        "code": "import { createServer } from 'node:http'\n\nconst credentials = btoa(`YOUR_CLIENT_ID:${process.env.VRATA_CLIENT_SECRET}`)\n\n/** Whose token it is and what it allows in this API; undefined when it is worth nothing here. */\nasync function introspect(token) {\n  const answer = await fetch('https://id.example.com/introspect', {\n    method: 'POST',\n    headers: { authorization: `Basic ${credentials}` },\n    body: new URLSearchParams({ token }),\n  })\n  if (!answer.ok) throw new Error(`Vrata answered ${answer.status}: ${await answer.text()}`)\n  const { active, sub, scope } = await answer.json()\n  return active ? { sub, scopes: scope.split(' ') } : undefined\n}\n\ncreateServer(async (request, response) => {\n  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]\n  const caller = token && (await introspect(token))\n  if (!caller) return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('Sign in first\\n')\n  response.end(`${caller.sub} may: ${caller.scopes.join(', ')}\\n`)\n}).listen(4000, 'localhost', () => console.log('The API is open at http://localhost:4000'))\n"
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
        "code": "#!/bin/sh\nset -eu\n# The token that came to your API with the request.\ncurl --silent --show-error --fail-with-body https://id.example.com/introspect \\\n  --user \"YOUR_CLIENT_ID:$VRATA_CLIENT_SECRET\" \\\n  --data-urlencode \"token=$1\"\n"
      }
    ]
  }
]
