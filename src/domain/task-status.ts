/** A task is open while it is pending or running; the others are ends. The documents of sessions spell them so. */
export const taskStatuses = ['Pending', 'Running', 'Completed', 'Failed', 'Cancelled'] as const

export type TaskStatus = (typeof taskStatuses)[number]
