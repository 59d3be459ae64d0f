/** A quick start: its files are in the folder named after `key`; the other fields say how to run it. */
export type QuickStart = {
  key: string
  title: string
  /** Kinds of app for which it is offered. */
  kinds: readonly ('web' | 'spa' | 'native' | 'service')[]
  /** Redirect URI of the program; it must be registered. */
  redirect_uri?: string
  /** Origin of the page whose script calls the token endpoint; it must be registered. */
  origin?: string
  install?: string
  run: string
  /** Address to open in the browser after the start. */
  open?: string
  /** Signature algorithms of ID tokens that the program accepts; none when it does not read ID tokens. */
  id_token_algorithms?: readonly ('RS256' | 'ES256' | 'EdDSA')[]
  files: readonly { name: string; language: string }[]
}

const WEB = {
  kinds: ['web'],
  redirect_uri: 'http://localhost:4000/callback',
  open: 'http://localhost:4000/sign-in',
} as const
const SPA = {
  kinds: ['spa'],
  redirect_uri: 'http://localhost:4000/',
  origin: 'http://localhost:4000',
  open: 'http://localhost:4000/',
} as const
const EVERY_ALGORITHM = ['RS256', 'ES256', 'EdDSA'] as const
const SECRET = 'VRATA_CLIENT_SECRET=your-secret '

export const QUICK_STARTS: readonly QuickStart[] = [
  {
    key: 'express',
    title: 'Express',
    ...WEB,
    install: 'npm install express express-session openid-client',
    run: `${SECRET}node app.mjs`,
    id_token_algorithms: EVERY_ALGORITHM,
    files: [{ name: 'app.mjs', language: 'js' }],
  },
  {
    key: 'nextjs',
    title: 'Next.js',
    ...WEB,
    install: 'npm install next react react-dom openid-client',
    run: `${SECRET}npx next dev --port 4000`,
    id_token_algorithms: EVERY_ALGORITHM,
    files: [
      { name: 'vrata.js', language: 'js' },
      { name: 'app/sign-in/route.js', language: 'js' },
      { name: 'app/callback/route.js', language: 'js' },
      { name: 'app/page.js', language: 'jsx' },
      { name: 'app/layout.js', language: 'jsx' },
    ],
  },
  {
    key: 'fastify',
    title: 'Fastify',
    ...WEB,
    install: 'npm install fastify @fastify/cookie @fastify/session openid-client',
    run: `${SECRET}node app.mjs`,
    id_token_algorithms: EVERY_ALGORITHM,
    files: [{ name: 'app.mjs', language: 'js' }],
  },
  {
    key: 'python',
    title: 'Python',
    ...WEB,
    install: 'pip install flask authlib requests',
    run: `${SECRET}python app.py`,
    id_token_algorithms: EVERY_ALGORITHM,
    files: [{ name: 'app.py', language: 'python' }],
  },
  {
    key: 'go',
    title: 'Go',
    ...WEB,
    install: 'go mod init example && go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
    run: `${SECRET}go run .`,
    id_token_algorithms: EVERY_ALGORITHM,
    files: [{ name: 'main.go', language: 'go' }],
  },
  {
    key: 'php',
    title: 'PHP',
    ...WEB,
    install: 'composer require league/oauth2-client',
    run: `${SECRET}php -S localhost:4000 index.php`,
    files: [{ name: 'index.php', language: 'php' }],
  },
  {
    key: 'spring',
    title: 'Spring',
    kinds: ['web'],
    redirect_uri: 'http://localhost:4000/login/oauth2/code/vrata',
    run: `${SECRET}mvn spring-boot:run`,
    open: 'http://localhost:4000/',
    id_token_algorithms: ['RS256'],
    files: [
      { name: 'src/main/java/example/App.java', language: 'java' },
      { name: 'src/main/resources/application.yml', language: 'yaml' },
      { name: 'pom.xml', language: 'xml' },
    ],
  },
  {
    key: 'aspnet',
    title: 'ASP.NET Core',
    ...WEB,
    run: `${SECRET}dotnet run app.cs`,
    id_token_algorithms: ['RS256', 'ES256'],
    files: [{ name: 'app.cs', language: 'csharp' }],
  },
  {
    key: 'curl',
    title: 'cURL',
    kinds: ['web'],
    redirect_uri: 'http://localhost:4000/callback',
    run: `${SECRET}sh sign-in.sh`,
    files: [{ name: 'sign-in.sh', language: 'sh' }],
  },
  {
    key: 'javascript',
    title: 'JavaScript',
    ...SPA,
    run: 'npx serve --listen 4000',
    files: [{ name: 'index.html', language: 'html' }],
  },
  {
    key: 'react',
    title: 'React',
    ...SPA,
    install: 'npm install react react-dom react-oidc-context oidc-client-ts vite',
    run: 'npx vite --port 4000 --strictPort',
    id_token_algorithms: EVERY_ALGORITHM,
    files: [
      { name: 'src/main.jsx', language: 'jsx' },
      { name: 'index.html', language: 'html' },
    ],
  },
  {
    key: 'native',
    title: 'Node',
    kinds: ['native'],
    redirect_uri: 'http://127.0.0.1/callback',
    install: 'npm install openid-client',
    run: 'node sign-in.mjs',
    id_token_algorithms: EVERY_ALGORITHM,
    files: [{ name: 'sign-in.mjs', language: 'js' }],
  },
  {
    key: 'swift',
    title: 'Swift (iOS)',
    kinds: ['native'],
    redirect_uri: 'com.example.app:/callback',
    run: 'xed .',
    id_token_algorithms: EVERY_ALGORITHM,
    files: [
      { name: 'SignInView.swift', language: 'swift' },
      { name: 'VrataApp.swift', language: 'swift' },
    ],
  },
  {
    key: 'kotlin',
    title: 'Kotlin',
    kinds: ['native'],
    redirect_uri: 'http://127.0.0.1/callback',
    install: 'mvn compile',
    run: 'mvn --quiet exec:java',
    id_token_algorithms: ['RS256'],
    files: [
      { name: 'src/main/kotlin/SignIn.kt', language: 'kotlin' },
      { name: 'pom.xml', language: 'xml' },
    ],
  },
  {
    key: 'csharp',
    title: 'C#',
    kinds: ['native'],
    redirect_uri: 'http://127.0.0.1/callback',
    run: 'dotnet run sign-in.cs',
    id_token_algorithms: EVERY_ALGORITHM,
    files: [{ name: 'sign-in.cs', language: 'csharp' }],
  },
  {
    key: 'api-node',
    title: 'Node',
    kinds: ['service'],
    run: `${SECRET}node api.mjs`,
    files: [{ name: 'api.mjs', language: 'js' }],
  },
  {
    key: 'api-curl',
    title: 'cURL',
    kinds: ['service'],
    run: `${SECRET}sh introspect.sh the-token`,
    files: [{ name: 'introspect.sh', language: 'sh' }],
  },
]
