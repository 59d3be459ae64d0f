/** Skip link, first in the tab order. `to` is the id of the main element. */
export function SkipLink({ to, children }: { to: string; children: string }) {
  return (
    <a
      href={`#${to}`}
      className="fixed top-3 left-3 z-50 [translate:0_-5rem] rounded-control bg-brand px-5 py-3 font-semibold text-on-brand focus:[translate:none] print:hidden"
    >
      {children}
    </a>
  )
}
