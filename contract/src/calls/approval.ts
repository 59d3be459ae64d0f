import { z } from 'zod'
import * as f from '../http/fields.ts'

/** Of an organization or app that operators have not approved: it waits, or they have rejected it. */
export const APPROVALS = ['pending', 'rejected'] as const
export type Approval = (typeof APPROVALS)[number]

/** Fields of an organization or app that tell whether it is approved. */
export const approval = {
  /** Null once it is approved, or where none is needed. */
  approval: z.enum(APPROVALS).nullable(),
  /** Reason of the rejection. */
  approval_reason: z.string().nullable(),
}

/** Members that only operators see. */
export const adminApproval = {
  ...approval,
  /** When approval was requested last; null once it is approved. */
  approval_asked_at: f.time.nullable(),
}

/** Fields with which an operator decides. */
export const decision = {
  /** False also takes back an approval. */
  approved: z.boolean().optional(),
  /** Reason of a rejection; the person who asked reads it. */
  reason: f.text(500).optional(),
  /** The approval on which the decision rests: 409 `already_decided` when it is another by now, unless that is the same decision. */
  seen_approval: z.enum(APPROVALS).nullable().optional(),
}
