/** htmx has no types of its own. */
declare const htmx: any;
