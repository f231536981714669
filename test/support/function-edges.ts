/** The files of a function that reach AWS, the network, files and the process. What else it decides is pure, as lib is. */
export const functionEdges = ['app', 'index', 'http', 'fetch-recording', 'recording-bucket', 'duckdb', 'sql-files'];
