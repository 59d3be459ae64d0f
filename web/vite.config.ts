import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contract } from './build/contract-plugin.ts'
import { docs } from './build/docs-plugin.ts'
import { pageFiles } from './build/page-files-plugin.ts'
import { phrases } from './build/phrases-plugin.ts'

/** Modules that most pages use. Base UI (dialogs, menus) and modules that only signed-in pages use are left out. */
const COMMON =
  /web[\\/]src[\\/](?:lib(?![\\/]phrases)|shell(?![\\/]menu)|ui(?![\\/](?:feedback[\\/]toast-card|dialog[\\/](?:dialog-|sheet)|form[\\/](?:password-meter|picture-field|search-)|icons[\\/](?:activity-|scope-|signed-in-))))|contract[\\/]src[\\/](?!limits|passwords)|phrases[\\/]src[\\/]\w+\.ts/
/** Modules that only signed-in pages use; without a file of their own they would become part of `common`. */
const SIGNED_IN =
  /web[\\/]src[\\/]ui[\\/][a-z]+[\\/](?:account-card|app-tile|badge|card|copy-button|copy-field|empty-state|error-state|filter-select|signed-in-icons|page-head|row|search-field|select-field|switch|tabs|time|with-aside)\.tsx$|web[\\/]src[\\/]ui[\\/]icons[\\/](?:activity-icon|scope-icon)\.ts$|web[\\/]src[\\/]shell[\\/]menu[\\/]menu\.ts$|web[\\/]src[\\/]lib[\\/](?:api[\\/]without-retry|clients[\\/]|saved-fields[\\/]|format[\\/](?:is-long-ago|time)|passkeys[\\/]passkeys\.ts|otp-or-recovery-code)|contract[\\/]src[\\/](?:calls[\\/](?:activity|client-diagnostics|clients|connections|developers|media|members|privacy|quick-start|scopes|security|statistics|users)|user-code)\.ts$/

/** Pages for the browser. `build.ts` also builds them for the server, to prerender HTML. */
export default defineConfig(({ command, isSsrBuild }) => ({
  root: import.meta.dirname,
  // React has had `useSyncExternalStore` since 18, so the package needs no replacement of it.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  plugins: [contract(), phrases(), docs(), pageFiles(), react(), tailwindcss()],
  build: isSsrBuild
    ? { emptyOutDir: true, rollupOptions: { input: 'src/prerender.tsx' } }
    : {
        emptyOutDir: true,
        manifest: true,
        assetsInlineLimit: 0,
        modulePreload: {
          polyfill: false,
          // Chunks of the first load need no mention in the lists of chunks, which are part of it.
          resolveDependencies: (_file, dependencies) =>
            dependencies.filter((file) => !/assets\/(?:common|main|rolldown-runtime|vendor)-[\w-]{8}\.js$/.test(file)),
        },
        reportCompressedSize: false,
        rollupOptions: {
          input: 'src/main.tsx',
          output: {
            // The entry names every chunk, and random letters do not compress.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            hashCharacters: 'hex',
            // Automatic splitting plus a few groups; more manual groups made /login heavier (pages §9).
            // `scripts/checks/budget.ts` measures it.
            codeSplitting: {
              groups: [
                {
                  name: 'vendor',
                  test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack)[\\/](?!.*[Ii]nfiniteQuery(?:Observer)?\.js)/,
                },
                { name: 'signed-in', test: SIGNED_IN, minShareCount: 2, includeDependenciesRecursively: false },
                // Small modules of most pages in one file. Dialogs and menus load on demand and must not be included.
                { name: 'common', test: COMMON, minShareCount: 4 },
                // Small modules of the public pages, which would each be a request.
                {
                  name: 'public',
                  test: /web[\\/]src[\\/]lib[\\/](?:use-continue|passkeys[\\/]passkeys-supported)\.ts$/,
                },
                {
                  debugName: 'words',
                  name: (id: string) =>
                    /phrases[\\/](?:src[\\/])?([\w-]+)[\\/](?:ui|problems|files)\.ts$/.exec(id)?.[1] ?? null,
                },
              ],
            },
          },
        },
      },
  // The development server loads packages by Node's own import.
  ...(command === 'build' ? { ssr: { noExternal: true } } : {}),
}))
