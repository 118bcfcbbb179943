// What would be if: only where a program answers.

// showWhatIf is empty in a file.
export function showWhatIf() {}
