import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin, type ProxyOptions, type ViteDevServer } from 'vite'
import { ROOT } from '../run-command.ts'

/** Paths that Vite answers. All others are the server's: pages, API, protocol endpoints, sockets. */
const VITE_PATHS = '(?:@|src/|node_modules/|build/|sign-in\\.js$)'

const ENTRY = '/@development-entry'

/** The script for third-party pages has a fixed address. */
const SIGN_IN = '/sign-in.js'

export type DevPagesOptions = {
  port: number
  /** Address of the server behind the proxy. */
  server: string
  /** Folder for the files that the server reads in place of `web/dist`. */
  folder: string
}

/**
 * Starts Vite's development server in front of the server. Documents, their data and their guards come from the server;
 * the scripts in them come from Vite, with hot module replacement. Writes the plan of the pages first, and again when the
 * route table changes.
 */
export async function startDevPages({ port, server, folder }: DevPagesOptions): Promise<ViteDevServer> {
  const vite = await createServer({
    configFile: join(ROOT, 'web/vite.config.ts'),
    appType: 'custom',
    logLevel: 'warn',
    plugins: [virtualModules()],
    server: {
      host: 'localhost',
      port,
      strictPort: true,
      proxy: {
        // Only this path: Vite's own socket is at "/".
        '^/socket\\.io/': { target: server, ws: true },
        [`^/(?!${VITE_PATHS})`]: proxyTo(server),
      },
      // Most pages import these; transforming them early makes the first page faster.
      warmup: { clientFiles: ['src/main.tsx', 'src/routes.tsx'] },
    },
  })
  await writePlan(vite, folder)
  vite.watcher.on('change', (file) => {
    if (file.endsWith('routes.tsx')) writePlan(vite, folder).catch((error: Error) => console.error(error.message))
  })
  return await vite.listen()
}

/** Modules with addresses of their own. */
function virtualModules(): Plugin {
  const modules: Record<string, string> = {
    // Vite's client and React's fast refresh must run before the first component is loaded.
    [ENTRY]: `import '/@vite/client'\n${react.preambleCode.replace('__BASE__', '/')}\nawait import('/src/main.tsx')`,
    [SIGN_IN]: `export * from ${JSON.stringify(`/@fs${join(ROOT, 'sign-in/src/index.ts')}`)}`,
  }
  return {
    name: 'vrata:virtual-modules',
    resolveId: (id) => (id in modules ? id : undefined),
    load: (id) => modules[id],
  }
}

function proxyTo(server: string): ProxyOptions {
  return {
    target: server,
    configure(proxy) {
      // The policy allows the built styles by their hashes; Vite inserts others.
      proxy.on('proxyRes', ({ headers }) => {
        delete headers['content-security-policy']
      })
      proxy.on('error', (_, __, response) => {
        if ('headersSent' in response && !response.headersSent)
          response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' })
        response.end('The server is starting. Reload in a moment.\n')
      })
    },
  }
}

async function writePlan(vite: ViteDevServer, folder: string): Promise<void> {
  const { developmentPlan } = await vite.ssrLoadModule('/build/development-page-plan.ts')
  const plan = JSON.stringify(await developmentPlan(ENTRY))
  const client = join(folder, 'client')
  await rm(client, { recursive: true, force: true })
  await mkdir(join(client, 'assets'), { recursive: true })
  await cp(join(ROOT, 'web/public'), client, { recursive: true })
  await writeFile(join(folder, 'pages.json'), plan)
}
