import type { CompiledFile } from '../compiled-file.ts'

/** Phrase files of this language for pages; `catalog.ts` imports every file, and the others are for server and build. */
export const files = import.meta.glob<CompiledFile>(
  ['./*.ts', '!./{catalog,mail,archive,load-failure,plain-pages}.ts'],
  {
    base: '../../../../../phrases/src/en-US/',
  },
)
