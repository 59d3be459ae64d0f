export { ClientErrorsCard } from './client-errors-card.tsx'
export { TestSignInCard } from './test-sign-in-card.tsx'
