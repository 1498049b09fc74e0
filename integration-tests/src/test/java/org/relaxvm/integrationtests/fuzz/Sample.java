package org.relaxvm.integrationtests.fuzz;

/** A file that is damaged in many ways; the bytes must not be written. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Sample(String name, Format format, byte[] bytes) {}
