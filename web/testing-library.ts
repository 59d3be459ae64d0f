import { configure } from '@testing-library/react'

// As long as polls of Vitest wait, instead of one second: machines may be slow or do something else.
configure({ asyncUtilTimeout: 25_000 })

// jsdom has no layout.
Element.prototype.scrollIntoView ??= () => {}
