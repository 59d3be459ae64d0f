/** Indicates that the next page loads. */
export function ProgressStrip({ active }: { active: boolean }) {
  return active ? <div aria-hidden="true" className="progress-strip fixed inset-x-0 top-0 z-50 h-0.5" /> : null
}
