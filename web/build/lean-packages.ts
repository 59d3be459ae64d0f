import type { Plugin } from 'vite'

const ROUTE = /[\\/]@tanstack[\\/]react-router[\\/]dist[\\/]esm[\\/]route\.js$/

/** Hooks and a link component that the constructor of a route adds to it: they load the links of the router with the first page. */
const OWN_HOOKS = /(\tconstructor\(options\) \{\n\t\tsuper\(options\);)\n\t\tthis\.useMatch = [\s\S]*?\n(\t\}\n\};)/g

/** Kinds of routes that pages are made of: pages, and the root. */
const KINDS = 2

/**
 * Leaves out of the router what the pages do not use: their links are plain addresses (decision 0046). Fails when a new version
 * of it no longer has that. Nothing else changes, and tests run with the package as it is.
 */
export function leanPackages(): Plugin {
  return {
    name: 'vrata:lean-packages',
    apply: 'build',
    transform: {
      filter: { id: ROUTE },
      handler(code, id) {
        if (code.match(OWN_HOOKS)?.length !== KINDS)
          throw new Error(`${id} has changed: its routes have other hooks. See web/build/lean-packages.ts.`)
        return { code: code.replace(OWN_HOOKS, '$1\n$2'), map: null }
      },
    },
  }
}
