package org.relaxvm.backendcuda.driver;

/**
 * What a kernel needs.
 *
 * @param maxThreads most threads of a block that it can be launched with
 * @param registers of a thread
 * @param sharedBytes of shared memory that have a fixed size
 * @param localBytes of a thread that did not fit registers
 */
public record FunctionReport(int maxThreads, int registers, int sharedBytes, int localBytes) {}
