import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contract } from './build/contract-plugin.ts'
import { guide } from './build/guide-plugin.ts'
import { pageFiles } from './build/page-files-plugin.ts'
import { phrases } from './build/phrases-plugin.ts'

const PARTS =
  /web[\\/]src[\\/](?:paths|lib|shell(?![\\/](?:bottom-bar|places|sidebar|switcher))|ui(?![\\/](?:activity-icons|dialog-|inner-icons|picture-field|scope-icon|search-|sheet)))|contract[\\/]src[\\/](?!limits)|phrases[\\/]src[\\/]\w+\.ts/
/** Parts and calls that only pages behind a sign-in use; without a file of their own they would be put into `parts`. */
const SIGNED_IN =
  /web[\\/]src[\\/]ui[\\/](?:account-card|app-tile|badge|card|copy-button|empty-state|error-state|inner-icons|page-head|row|search-field|select-field|switch|tabs|time|with-aside)\.tsx$|web[\\/]src[\\/]ui[\\/](?:activity-icons|scope-icon)\.ts$|web[\\/]src[\\/]shell[\\/]places\.ts$|web[\\/]src[\\/]lib[\\/](?:age|passkeys|proof-of|time)\.ts$|contract[\\/]src[\\/](?:activity|clients|connections|developers|device-codes|media|privacy|security|user-code)\.ts$/

/** Pages of the browser. The second, server-side build of `build.ts` renders them to HTML with the same plugins. */
export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  plugins: [contract(), phrases(), guide(), pageFiles(), react(), tailwindcss()],
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
            // Automatic splitting, plus what every page needs in few files; hand-made groups beyond that made /login
            // heavier (frontend.md §9). `scripts/check-bundle.ts` weighs the result.
            codeSplitting: {
              groups: [
                { name: 'vendor', test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack)[\\/]/ },
                { name: 'signed-in', test: SIGNED_IN, minShareCount: 2, includeDependenciesRecursively: false },
                // Small parts that most pages use: one file instead of ten requests. Dialogs and menus, which bring
                // Base UI with them, load when they are first opened and must not get in here.
                { name: 'parts', test: PARTS, minShareCount: 4 },
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
