/** A large nursery: what a history or a request leaves behind is garbage at once, and so is collected seldom. */
export const threadOptions = { resourceLimits: { maxYoungGenerationSizeMb: 128 } };
