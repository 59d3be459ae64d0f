import { prerender } from 'react-dom/static'

/** Renders to HTML when everything has loaded. Throws what a component throws. */
export async function markup(element: React.ReactNode): Promise<string> {
  let failure: unknown
  const { prelude } = await prerender(element, {
    // Larger Suspense boundaries would be moved into place by an inline script.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    // React renders a failed Suspense boundary in the browser; a throw in here would end the process.
    onError(error) {
      failure ??= error
    },
  })
  const html = await new Response(prelude).text()
  if (failure) throw failure
  // React hoists image preloads to the front. Inline styles are forbidden by the policy.
  const styled = /<[^>]+ style="[^"]*"[^>]*>/.exec(html)
  if (styled) throw new Error(`An inline style in a rendered page would be blocked: ${styled[0]}`)
  return html
}
