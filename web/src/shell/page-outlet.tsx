import { Outlet, useChildMatches } from '@tanstack/react-router'

/**
 * The page inside a shell. Another page is another element, so that it fades in (`page-in`); tabs and parameters of the
 * same page are not another page.
 */
export function PageOutlet({ className }: { className: string }) {
  const page = useChildMatches()[0]?.routeId
  return (
    <div key={page} className={`page-in ${className}`}>
      <Outlet />
    </div>
  )
}
