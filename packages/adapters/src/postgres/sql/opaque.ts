/**
 * The array of an expression, for statements that are run often with few values. The planner does not see how many there are: so
 * the plan that it keeps is as good as one for these values, and it does not plan anew at every call, which for a few rows takes
 * longer than to read them.
 */
export const opaque = (array: string): string => `array(select unnest(${array}))`
