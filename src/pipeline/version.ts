/** Version of this package; test/habits holds it against package.json. */
export const toolVersion = '0.1.0';
