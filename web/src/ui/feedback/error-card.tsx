import { PublicCard } from '../layout/public-card.tsx'
import { ErrorState, type ErrorStateProps } from './error-state.tsx'

/** Error that takes the place of a public page. */
export function ErrorCard(props: Omit<ErrorStateProps, 'heading'>) {
  return (
    <PublicCard>
      <div className="-mx-6 -my-12">
        <ErrorState heading="h1" {...props} />
      </div>
    </PublicCard>
  )
}
