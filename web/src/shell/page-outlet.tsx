import { Outlet, useChildMatches } from '@tanstack/react-router'

/**
 * Outlet of a shell. Another page is another element, so that it fades in (`page-in`); tabs and parameters keep the
 * element.
 */
export function PageOutlet({ className }: { className: string }) {
  const page = useChildMatches()[0]?.routeId
  return (
    <div key={page} className={`page-in ${className}`}>
      <Outlet />
    </div>
  )
}
