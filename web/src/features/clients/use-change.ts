import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { toast } from '../../ui/toast.ts'
import { advancedSettings } from './data.ts'
import { useSaving } from './saving.ts'

/** Shows a change at once and takes it back if the server refuses. */
export function useChange({ client_id: id }: ClientInfo) {
  const wires = useWires()
  const tell = useSaving()
  const { refusal } = useRefusal()
  const { queryKey } = advancedSettings(wires, id)

  return async (changes: Partial<Advanced>) => {
    const before = wires.queries.getQueryData<Advanced>(queryKey)
    if (before) wires.queries.setQueryData<Advanced>(queryKey, { ...before, ...changes })
    tell('saving')
    const answer = await wires.api(clients.updateAdvanced, { id, ...changes })
    wires.queries.setQueryData(queryKey, answer.ok ? answer.data : before)
    tell(answer.ok ? 'saved' : 'failed')
    if (answer.ok) return
    const { message, fields = {} } = refusal(answer, { secret_required: 'require_client_secret' })
    toast(message ?? Object.values(fields).join(' '))
  }
}
