/** Offers a text to the browser as a download. Nothing is sent anywhere. */
export function saveFile(name: string, mediaType: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Not every browser reads the address as soon as the click is handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
