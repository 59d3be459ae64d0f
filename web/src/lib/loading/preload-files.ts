const requested = new Set<string>()

/**
 * Loads a file of the build and, at the same time, the files that it imports: the browser would ask for those only once it has
 * the file. Vite calls it for every `import()` (`build/preload-files-plugin.ts`).
 */
export function withFiles<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  for (const file of files) {
    if (requested.has(file)) continue
    requested.add(file)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: `/${file}` }))
  }
  return load().catch((error: unknown) => {
    dispatchEvent(new Event('vite:preloadError'))
    throw error
  })
}
export { withFiles as __vitePreload }
