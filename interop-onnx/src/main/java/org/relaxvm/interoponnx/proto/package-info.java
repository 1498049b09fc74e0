/**
 * The messages of ONNX files, read from mapped memory without a copy of tensors. Numbers of fields
 * are those of {@code onnx.proto}.
 */
@NullMarked
package org.relaxvm.interoponnx.proto;

import org.jspecify.annotations.NullMarked;
