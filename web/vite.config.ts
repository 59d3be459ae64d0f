import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contract } from './build/contract-plugin.ts'
import { docs } from './build/docs-plugin.ts'
import { leanPackages } from './build/lean-packages.ts'
import { pageFiles } from './build/page-files-plugin.ts'
import { phrases } from './build/phrases-plugin.ts'
import { preloadFiles } from './build/preload-files-plugin.ts'

/** Modules that most pages use. Base UI (dialogs, menus) and modules that only signed-in pages use are left out. */
const COMMON =
  /web[\\/]src[\\/](?:lib(?![\\/]phrases)|shell(?![\\/]menu)|ui(?![\\/](?:feedback[\\/]toast-card|dialog[\\/](?:dialog-|sheet)|form[\\/](?:password[\\/]password-meter|picture-field|search-)|icons[\\/](?:activity-|scope-|signed-in-))))|contract[\\/]src[\\/](?!limits|passwords)|phrases[\\/]src[\\/]\w+\.ts/
/**
 * Modules that only signed-in pages use: the shell with its menus, small components, and the queries of every feature. One
 * file instead of many small ones, each of which would be a request of the first page.
 */
const SIGNED_IN = anyOf(
  'web/src/shell/(?:(?:user|developer|admin|signed-in)-shell|organization-approval|security-review|preferences/theme(?:-choice)?)',
  'web/src/shell/(?:menu/(?:account-switcher|admin-menu|bottom-bar|menu|sidebar|waiting-badge)|search/search-(?:button|host|state))',
  'web/src/features/(?:[a-z-]+/){1,2}queries',
  'web/src/features/(?:home/(?:finding-row|security-findings|use-findings|use-review)|security/(?:confirm-email-first|sign-out-link))',
  'web/src/ui/[a-z]+/(?:account-card|app-tile|developer-rows|badge|card|copy-button|copy-field|dialog-after-wait|empty-state|error-state|facts|filter-select)',
  'web/src/ui/feedback/(?:error|invalid-link)-card',
  'web/src/ui/[a-z]+/(?:multiline-field|page-head|picture-field|row|search-field|select-field|sheet|sheet-foot|switch)',
  'web/src/ui/[a-z]+/(?:signed-in-icons|doorway|tabs|theme-switch|time|use-file-drop|with-aside|code-field)',
  'web/src/ui/icons/(?:activity|scope)-icon',
  'web/src/lib/(?:approval|clients|organizations|saved-fields)/[a-z-]+',
  'web/src/lib/(?:api/(?:error-text|more-button|use-busy-call|whole-list|without-retry)|format/(?:is-long-ago|phone-number|time|use-day-name)|passkeys/(?:passkeys|device-name))',
  'web/src/lib/(?:api/changed-from|change-language|download-file|list-filter/[a-z-]+|outcome-of-mail|security-review|use-picture-words)',
  'contract/src/calls/(?:admin-organizations|admin-users|audit|branding|groups|operators|policy|system|activity|client-access|client-diagnostics|clients|connections|developers|media|members|privacy|quick-start)',
  'contract/src/(?:calls/(?:scopes|security|statistics|users)|lifetimes|limits|loopback|otp-or-recovery-code|permissions|user-code)',
  'node_modules/@tanstack/.*[Ii]nfiniteQuery(?:Observer)?',
)
/** Parts that several pages of an app have. */
const CLIENT_PAGES = anyOf(
  'web/src/features/(?:clients|client-diagnostics|quick-start|scopes|statistics)/(?:[a-z-]+/)*[a-z-]+',
  'web/src/ui/content/(?:code|day-chart|day-figures|highlight)',
)

/** Matches the modules whose paths without extension match one of the sources of regular expressions. */
function anyOf(...sources: string[]): RegExp {
  return new RegExp(`(?:${sources.join('|').replaceAll('/', '[\\\\/]')})\\.(?:tsx?|js)$`)
}

/** Pages for the browser. `build.ts` also builds them for the server, to prerender HTML. */
export default defineConfig(({ command, isSsrBuild }) => ({
  root: import.meta.dirname,
  // React has had `useSyncExternalStore` since 18, so the package needs no replacement of it.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  plugins: [contract(), phrases(), docs(), pageFiles(), leanPackages(), preloadFiles(), react(), tailwindcss()],
  build: isSsrBuild
    ? {
        emptyOutDir: true,
        copyPublicDir: false,
        rollupOptions: { input: ['src/prerender.tsx', 'src/render-page.tsx'] },
      }
    : {
        emptyOutDir: true,
        manifest: true,
        assetsInlineLimit: 0,
        // One style sheet, which is in every document. Otherwise pages would ask for it again with the first chunk after them.
        cssCodeSplit: false,
        modulePreload: {
          polyfill: false,
          // The lists of chunks are part of the first load. Its own chunks need no mention, nor does the chunk that is imported.
          resolveDependencies: (imported, dependencies) =>
            dependencies.filter(
              (file) =>
                file !== imported && !/assets\/(?:common|main|rolldown-runtime|vendor)-[0-9a-f]{7,8}\.js$/.test(file),
            ),
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
                  test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack)[\\/](?!.*(?:[Ii]nfiniteQuery(?:Observer)?|useBlocker)\.js)/,
                },
                { name: 'signed-in', test: SIGNED_IN, includeDependenciesRecursively: false },
                // What several pages of operators have in one file instead of five: the entry names every file.
                {
                  name: 'admin-pages',
                  test: anyOf(
                    'web/src/features/(?:admin-organizations|admin-users|groups)/[a-z]+-queries',
                    'web/src/features/(?:admin-organizations/organization-marks|admin-users/(?:status-badge|person-account|use-person-change))',
                  ),
                  includeDependenciesRecursively: false,
                },
                { name: 'client-pages', test: CLIENT_PAGES, minShareCount: 2, includeDependenciesRecursively: false },
                // Small modules of most pages in one file. Dialogs and menus load on demand and must not be included.
                { name: 'common', test: COMMON, minShareCount: 4 },
                // With the file by which other features import it, which would be a request of its own.
                {
                  name: 'new-password',
                  test: anyOf(
                    'password/(?:change-password-form|new-password-field)',
                    'web/src/features/security/public',
                  ),
                },
                // The shell and small modules of the public pages, which would each be a request.
                {
                  name: 'public-pages',
                  test: anyOf(
                    'web/src/shell/public-shell',
                    'web/src/lib/(?:client-policies|use-continue|use-countdown|passkeys/passkeys-supported)',
                  ),
                  includeDependenciesRecursively: false,
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
  // React's code for development is slower, and the server may run without NODE_ENV.
  ...(isSsrBuild ? { define: { 'process.env.NODE_ENV': '"production"' } } : {}),
}))
