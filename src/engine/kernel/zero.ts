/**
 * 0 as a double: what fields begin with that will hold fractions, or 2^31 and more, as all times in ns do. One that begins with a small integer changes the shape
 * of its object when the first such number comes, and V8 throws away whatever it had compiled for the old shape; half of all that a run compiles. A 0 that is
 * written out is a small integer; one that is read from doubles is not.
 */
export const zero = new Float64Array(1)[0];
