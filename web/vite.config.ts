import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contract } from './build/contract-plugin.ts'
import { pageFiles } from './build/page-files-plugin.ts'
import { phrases } from './build/phrases-plugin.ts'

/** Pages of the browser. The second, server-side build of `build.ts` renders them to HTML with the same plugins. */
export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  plugins: [contract(), phrases(), pageFiles(), react(), tailwindcss()],
  build: isSsrBuild
    ? { emptyOutDir: true, rollupOptions: { input: 'src/prerender.tsx' } }
    : {
        emptyOutDir: true,
        manifest: true,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        rollupOptions: {
          input: 'src/main.tsx',
          output: {
            // Automatic splitting plus one group of what every page needs; more groups made /login heavier (frontend.md §9).
            codeSplitting: {
              groups: [
                { name: 'vendor', test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack)[\\/]/ },
                {
                  debugName: 'words',
                  name: (id: string) => /phrases[\\/]src[\\/]([\w-]+)[\\/](?:ui|problems)\.ts$/.exec(id)?.[1] ?? null,
                },
              ],
            },
          },
        },
      },
  ssr: { noExternal: true },
}))
