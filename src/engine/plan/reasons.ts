/** Reasons with their place, as numbers: `orders-db: queue full`. */
export class Reasons {
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();

  number(place: string, reason: string): number {
    const text = `${place}: ${reason}`;
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }
}

/** `order-api: queue full` → `queue full`. */
export const withoutPlace = (reason: string): string => reason.slice(reason.indexOf(': ') + 2);
