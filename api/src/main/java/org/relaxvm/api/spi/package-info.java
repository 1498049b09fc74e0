/**
 * What a backend or function jar implements. Start at {@link org.relaxvm.api.spi.BackendProvider};
 * then {@link org.relaxvm.api.spi.Backend}, {@link org.relaxvm.api.spi.Device}, {@link
 * org.relaxvm.api.spi.Stream}, {@link org.relaxvm.api.spi.Module}. Functions that belong to no
 * device come from a {@link org.relaxvm.api.spi.FunctionProvider}.
 */
@NullMarked
package org.relaxvm.api.spi;

import org.jspecify.annotations.NullMarked;
