import type { Shell } from './routes.tsx'

/** What stands on a page of somebody signed in until the script draws it: the same frame, with rows of light. */
export function Skeleton({ shell }: { shell: Shell }) {
  if (shell === 'public') {
    return (
      <div className="grid min-h-dvh place-items-center p-4" aria-busy="true">
        <div className="w-full max-w-[30rem] rounded-panel border border-line bg-surface p-8 shadow-popup">
          <Line className="h-8 w-1/2" />
          <Line className="mt-4 h-5 w-3/4" />
          <Line className="mt-8 h-12 rounded-control" />
          <Line className="mt-4 h-12 rounded-control" />
        </div>
      </div>
    )
  }
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[17.5rem_1fr]" aria-busy="true">
      <div className="hidden border-r border-line p-4 lg:block">
        <Line className="h-9 w-28" />
        <Line className="mt-6 h-16 rounded-card" />
        {[...'12345'].map((row) => (
          <Line key={row} className="mt-3 h-11" />
        ))}
      </div>
      <div className="h-16 border-b border-line lg:hidden" />
      <div className="max-w-[45rem] p-4 lg:px-12 lg:py-10">
        <Line className="h-9 w-1/2" />
        <Line className="mt-8 h-32 rounded-card" />
        <Line className="mt-6 h-48 rounded-card" />
      </div>
    </div>
  )
}

function Line({ className }: { className: string }) {
  return <div className={`shimmer rounded-row ${className}`} />
}

/** Shown by the stylesheet alone, when a script did not arrive or broke (frontend.md §8: no spinner for ever). */
export function Failed({ heading, text, reload }: { heading: string; text: string; reload: string }) {
  return (
    <div className="grid min-h-dvh place-items-center bg-page p-4">
      <div className="max-w-[30rem] rounded-panel border border-line bg-surface p-8 shadow-popup">
        <p className="text-head font-heading tracking-heading">{heading}</p>
        <p className="mt-3 text-lead text-muted">{text}</p>
        <a className="mt-6 inline-block font-semibold text-brand" href="?">
          {reload}
        </a>
      </div>
    </div>
  )
}
