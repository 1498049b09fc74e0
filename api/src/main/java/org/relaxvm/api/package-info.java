/**
 * Values and the calling convention. Values: {@link org.relaxvm.api.Tensor}, {@link
 * org.relaxvm.api.Shape}, {@link org.relaxvm.api.DType}, {@link org.relaxvm.api.Tuple}, {@link
 * org.relaxvm.api.Storage}, {@link org.relaxvm.api.Closure}, strings and scalars. Calls: {@link
 * org.relaxvm.api.PackedFunc} with {@link org.relaxvm.api.CallArgs} and {@link
 * org.relaxvm.api.CallResult}. What backends implement is in {@code org.relaxvm.api.spi}.
 */
@NullMarked
package org.relaxvm.api;

import org.jspecify.annotations.NullMarked;
