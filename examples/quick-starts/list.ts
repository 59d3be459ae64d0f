/** A small program that signs somebody in: files of the folder of the same name, and how one runs them. */
export type QuickStart = {
  key: string
  title: string
  /** Kinds of app that it is for. */
  kinds: readonly ('web' | 'spa' | 'native' | 'service')[]
  /** What it is sent back to; it must be registered. */
  redirect_uri?: string
  /** Of the page whose script asks for tokens; it must be registered. */
  origin?: string
  install?: string
  run: string
  /** Where one then begins. */
  open?: string
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
const SECRET = 'VRATA_CLIENT_SECRET=your-secret '

export const QUICK_STARTS: readonly QuickStart[] = [
  {
    key: 'express',
    title: 'Express',
    ...WEB,
    install: 'npm install express express-session openid-client',
    run: `${SECRET}node app.mjs`,
    files: [{ name: 'app.mjs', language: 'js' }],
  },
  {
    key: 'nextjs',
    title: 'Next.js',
    ...WEB,
    install: 'npm install next react react-dom openid-client',
    run: `${SECRET}npx next dev --port 4000`,
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
    files: [{ name: 'app.mjs', language: 'js' }],
  },
  {
    key: 'python',
    title: 'Python',
    ...WEB,
    install: 'pip install flask authlib requests',
    run: `${SECRET}python app.py`,
    files: [{ name: 'app.py', language: 'python' }],
  },
  {
    key: 'go',
    title: 'Go',
    ...WEB,
    install: 'go mod init example && go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
    run: `${SECRET}go run .`,
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
    files: [{ name: 'sign-in.mjs', language: 'js' }],
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
