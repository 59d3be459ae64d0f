import type { PhraseKey } from '@vrata/phrases/keys'
import type { Shell } from './routes.tsx'
import { USER_MENU } from './shell/menu/menu.ts'
import type { Corner } from './ui/feedback/skeleton.tsx'
import { Wordmark } from './ui/icons/wordmark.tsx'

/** Skeleton of a signed-in page: frame, fixed texts and placeholders with the measures of `shell/`. */
export function Skeleton({ shell, t }: { shell: Shell; t: (key: PhraseKey) => string }) {
  if (shell === 'public') return <PublicSkeleton />
  return (
    <div className="lg:flex lg:pl-[clamp(0rem,calc(50vw-36rem),4rem)]" aria-busy="true">
      <div className="hidden h-dvh w-70 shrink-0 flex-col px-5 pt-4 pb-5 lg:flex">
        <div className="mb-4 w-fit p-2">
          <Wordmark />
        </div>
        <Line className="h-16" corner="rounded-card" />
        <Line className="mt-3 h-11" corner="rounded-control" />
        <div className="mt-6 space-y-1">
          {USER_MENU.map(({ href, label, icon: Sign }) =>
            shell === 'user' ? (
              <div key={href} className="flex min-h-11 items-center gap-3 px-3 py-2 font-medium text-muted">
                <Sign />
                {t(label)}
              </div>
            ) : (
              <Line key={href} className="h-11" />
            ),
          )}
        </div>
      </div>
      <div className="flex items-center justify-between px-4 py-3 sm:px-6 lg:hidden">
        <div className="p-2">
          <Wordmark />
        </div>
        <Line className="size-10" corner="rounded-full" />
      </div>
      <div
        className={`mx-auto w-full min-w-0 max-w-192 space-y-6 px-4 pt-4 sm:px-6 lg:mx-0 lg:px-10 lg:pt-11 ${shell === 'user' ? 'lg:max-w-200' : 'lg:max-w-350'}`}
      >
        <Line className="h-9 w-1/2" />
        <Line className="h-32" corner="rounded-card" />
        <Line className="h-48" corner="rounded-card" />
      </div>
      <div className="fixed inset-x-0 bottom-0 h-17 border-t border-line bg-surface lg:hidden" />
    </div>
  )
}

function PublicSkeleton() {
  return (
    <div className="flex min-h-dvh flex-col" aria-busy="true">
      <div className="px-4 py-3 sm:px-6 sm:py-4">
        <div className="w-fit p-2">
          <Wordmark />
        </div>
      </div>
      <div className="flex grow flex-col items-center px-4 pt-4 pb-8 sm:justify-center sm:pb-24">
        <div className="w-full max-w-120 rounded-panel border border-line bg-surface p-8 shadow-popup">
          <Line className="h-8 w-1/2" />
          <Line className="mt-4 h-5 w-3/4" />
          <Line className="mt-8 h-12" corner="rounded-control" />
          <Line className="mt-4 h-12" corner="rounded-control" />
        </div>
      </div>
    </div>
  )
}

function Line({ className, corner = 'rounded-row' }: { className: string; corner?: Corner }) {
  return <div className={`shimmer ${corner} ${className}`} />
}

/** Shown by CSS when a script fails to load or to start (pages §4). */
export function Failed({ heading, text, reload }: { heading: string; text: string; reload: string }) {
  return (
    <div className="grid min-h-dvh place-items-center bg-page p-4">
      <div className="max-w-120 rounded-panel border border-line bg-surface p-8 shadow-popup">
        <h1 className="text-head">{heading}</h1>
        <p className="mt-3 text-lead text-muted">{text}</p>
        <a className="mt-6 inline-block font-semibold text-brand" href="?">
          {reload}
        </a>
      </div>
    </div>
  )
}
