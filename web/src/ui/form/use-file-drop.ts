import { type DragEvent, useState } from 'react'

/** Accepts a dropped file; `over` while one hovers. Spread the rest onto the element. */
export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false)
  return {
    over,
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault()
      setOver(false)
      const [file] = event.dataTransfer.files
      if (file) onFile(file)
    },
  }
}
