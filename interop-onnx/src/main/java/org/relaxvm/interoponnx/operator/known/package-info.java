/** Rules that compute results while a model is imported, where elements are known. */
@NullMarked
package org.relaxvm.interoponnx.operator.known;

import org.jspecify.annotations.NullMarked;
