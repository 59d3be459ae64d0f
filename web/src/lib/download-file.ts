/** Downloads a file through a temporary link. */
export function downloadFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Some browsers read the URL after the click event.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
