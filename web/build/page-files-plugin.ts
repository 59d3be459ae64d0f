import type { Plugin } from 'vite'

/**
 * Adds the source file of each lazy page for the prerender, so that the server can preload its chunks: `page(() =>
 * import('./x.tsx'), 'X')` in `routes.tsx` gets `'src/x.tsx'` as third argument.
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
