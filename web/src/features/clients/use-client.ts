import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ClientInfo } from '@vrata/contract/clients'
import { useWires } from '../../lib/wires.tsx'
import { clientInfo } from './data.ts'

/** The app of this page. The layout around it has it already, else the page would not be drawn. */
export function useClient(): ClientInfo {
  const { clientId = '' } = useParams({ strict: false })
  return useSuspenseQuery(clientInfo(useWires(), clientId)).data
}
