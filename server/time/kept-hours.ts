// Kept hours: for how long the figures of an hour at a property are kept, which bounds what a report can say about hours.

export const hours_kept_days = 400
