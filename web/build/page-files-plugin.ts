import type { Plugin } from 'vite'

/**
 * Tells the prerender which source file every lazy page comes from, so that the server can preload its chunks: in
 * `routes.tsx`, `page(() => import('./x.tsx'), 'X')` gets `'src/x.tsx'` as its third argument.
 */
export function pageFiles(): Plugin {
  return {
    name: 'vrata:page-files',
    enforce: 'pre',
    apply: (_, { isSsrBuild }) => !!isSsrBuild,
    transform: {
      filter: { id: /src[\\/]routes\.tsx$/ },
      handler: (code) => ({
        code: code.replace(/(\bpage\(\(\) => import\('\.\/([^']+)'\), '\w+')\)/g, "$1, 'src/$2')"),
        map: null,
      }),
    },
  }
}
